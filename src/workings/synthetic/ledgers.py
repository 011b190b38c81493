"""Shop ledger passages: customers, goods, amounts, dates and prices."""

from dataclasses import replace
from fractions import Fraction

from workings.synthetic.gold_steps import Mention
from workings.synthetic.passage_writer import Fact, PassageWriter, Topic
from workings.synthetic.sampler import ITEMS, PLACES
from workings.synthetic.templates import Scene, SceneTemplates
from workings.values import Date

_TEMPLATES = SceneTemplates("ledgers")


def write_ledger(writer: PassageWriter) -> list[Topic]:
    """Write the shop, its orders, not sorted by date, and one shelf."""
    sampler = writer.sampler
    writer.write("openings", keeper=sampler.person(), town=sampler.draw(PLACES))
    customers = sampler.person(), sampler.person(), sampler.person()
    days = sampler.sample(range(1, 29), sampler.integer(5, 8))
    # There is no order on the last of these dates.
    *dates, idle = (Date(None, sampler.integer(1, 12), day) for day in days)
    orders = []
    for date in dates:
        orders.append(_write_order(writer, sampler.choose(customers), date))
        writer.maybe_write_distractor(date=sampler.date_text(idle))
    shelf = _write_shelf(writer)
    topics = zip(("amounts", "prices", "goods", "days"), zip(*orders, strict=True), strict=True)
    return [shelf, *(_TEMPLATES.topic(name, facts) for name, facts in topics)]


def _write_order(writer: PassageWriter, customer: str, date: Date) -> tuple[Fact, Fact, Fact, Fact]:
    """Write one order; its facts are its amount, its price, its goods and its date."""
    sampler = writer.sampler
    item = sampler.draw(ITEMS)
    amount, price = sampler.draw_number(4, 250), sampler.draw_number(50, 4000)
    day, quantity = sampler.date_text(date), sampler.number_text(amount)
    paid = f"${price // 10}.{price % 10}0"
    slots = {"customer": customer, "date": day, "quantity": quantity, "price": paid}
    spans = writer.write("orders", item=item, **slots)
    ordered = Mention((spans["quantity"][0], spans["item"][1]), Fraction(amount))
    bill = Mention(spans["price"], Fraction(price, 10), (date,))
    prices = Fact(item, bill, spans["customer"], {"customer": f"by {customer}"})
    goods = replace(prices, argument=spans["item"])
    return replace(prices, mention=ordered), prices, goods, replace(goods, name=day)


def _write_shelf(writer: PassageWriter) -> Topic:
    sampler = writer.sampler
    item, buyers = sampler.draw(ITEMS), {"one": sampler.person(), "other": sampler.person()}
    stock = sampler.draw_number(120, 400)
    sold = sampler.draw_number(10, 50), sampler.draw_number(10, 50)
    numbers = {"all": stock, "some": sold[0], "more": sold[1]}
    spans = writer.write("shelves", item=item, **buyers, **numbers)
    facts = (Fact(slot, Mention(spans[slot], Fraction(n))) for slot, n in numbers.items())
    return _TEMPLATES.topic("shelf", facts, item=item)


SCENE = Scene(_TEMPLATES, write_ledger)
