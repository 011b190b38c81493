"""Shop ledgers: who bought how much of what, when and at what price, and what was left."""

from dataclasses import replace
from fractions import Fraction

from workings.synthetic.gold_steps import Mention
from workings.synthetic.passage_writer import Fact, PassageWriter, Topic
from workings.synthetic.sampler import ITEMS, PLACES
from workings.synthetic.templates import Scene, SceneTemplates
from workings.values import Date

_script = SceneTemplates("ledgers")


def write(page: PassageWriter) -> list[Topic]:
    """The shop, its orders in any order, and one shelf."""
    sampler = page.sampler
    page.tell("openings", keeper=sampler.person(), town=sampler.draw(PLACES))
    customers = sampler.person(), sampler.person(), sampler.person()
    days = sampler.sample(range(1, 29), sampler.small(5, 8))
    # The last day is one without an order.
    *dates, idle = (Date(None, sampler.small(1, 12), day) for day in days)
    orders = []
    for date in dates:
        orders.append(_tell_order(page, sampler.choose(customers), date))
        page.aside(date=sampler.dated(idle))
    shelf = _tell_shelf(page)
    topics = zip(("amounts", "prices", "goods", "days"), zip(*orders, strict=True), strict=True)
    return [shelf, *(_script.topic(name, facts) for name, facts in topics)]


def _tell_order(page: PassageWriter, customer: str, date: Date) -> tuple[Fact, Fact, Fact, Fact]:
    """One order as four facts: its amount, its price, its goods and its day."""
    sampler = page.sampler
    item, amount, price = sampler.draw(ITEMS), sampler.number(4, 250), sampler.number(50, 4000)
    day, quantity = sampler.dated(date), sampler.said(amount)
    paid = f"${price // 10}.{price % 10}0"
    slots = {"customer": customer, "date": day, "quantity": quantity, "price": paid}
    at = page.tell("orders", item=item, **slots)
    ordered = Mention((at["quantity"][0], at["item"][1]), Fraction(amount))
    bill = Mention(at["price"], Fraction(price, 10), (date,))
    prices = Fact(item, bill, at["customer"], {"customer": f"by {customer}"})
    goods = replace(prices, who=at["item"])
    return replace(prices, mention=ordered), prices, goods, replace(goods, name=day)


def _tell_shelf(page: PassageWriter) -> Topic:
    sampler = page.sampler
    item, buyers = sampler.draw(ITEMS), {"one": sampler.person(), "other": sampler.person()}
    whole, parts = sampler.number(120, 400), (sampler.number(10, 50), sampler.number(10, 50))
    numbers = {"all": whole, "some": parts[0], "more": parts[1]}
    at = page.tell("shelves", item=item, **buyers, **numbers)
    facts = (Fact(slot, Mention(at[slot], Fraction(n))) for slot, n in numbers.items())
    return _script.topic("shelf", facts, item=item)


SCENE = Scene(_script, write)
