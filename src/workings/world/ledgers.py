"""Shop ledgers: who bought how much of what, when and at what price, and what was left."""

from dataclasses import replace
from fractions import Fraction

from workings.values import Date
from workings.world.page import Fact, Page, Topic
from workings.world.script import Scene, Script
from workings.world.steps import Mention
from workings.world.words import ITEMS, PLACES

_script = Script("ledgers")


def write(page: Page) -> list[Topic]:
    """The shop, its orders in any order, and one shelf."""
    stock = page.stock
    page.tell("openings", keeper=stock.person(), town=stock.draw(PLACES))
    customers = stock.person(), stock.person(), stock.person()
    days = stock.sample(range(1, 29), stock.small(5, 8))
    # The last day is one without an order.
    *dates, idle = (Date(None, stock.small(1, 12), day) for day in days)
    orders = []
    for date in dates:
        orders.append(_tell_order(page, stock.choose(customers), date))
        page.aside(date=stock.dated(idle))
    shelf = _tell_shelf(page)
    topics = zip(("amounts", "prices", "goods", "days"), zip(*orders, strict=True), strict=True)
    return [shelf, *(_script.topic(name, facts) for name, facts in topics)]


def _tell_order(page: Page, customer: str, date: Date) -> tuple[Fact, Fact, Fact, Fact]:
    """One order as four facts: its amount, its price, its goods and its day."""
    stock = page.stock
    item, amount, price = stock.draw(ITEMS), stock.number(4, 250), stock.number(50, 4000)
    day, quantity = stock.dated(date), stock.said(amount)
    paid = f"${price // 10}.{price % 10}0"
    slots = {"customer": customer, "date": day, "quantity": quantity, "price": paid}
    at = page.tell("orders", item=item, **slots)
    ordered = Mention((at["quantity"][0], at["item"][1]), Fraction(amount))
    bill = Mention(at["price"], Fraction(price, 10), (date,))
    prices = Fact(item, bill, at["customer"], {"customer": f"by {customer}"})
    goods = replace(prices, who=at["item"])
    return replace(prices, mention=ordered), prices, goods, replace(goods, name=day)


def _tell_shelf(page: Page) -> Topic:
    stock = page.stock
    item, buyers = stock.draw(ITEMS), {"one": stock.person(), "other": stock.person()}
    whole, parts = stock.number(120, 400), (stock.number(10, 50), stock.number(10, 50))
    numbers = {"all": whole, "some": parts[0], "more": parts[1]}
    at = page.tell("shelves", item=item, **buyers, **numbers)
    facts = (Fact(slot, Mention(at[slot], Fraction(n))) for slot, n in numbers.items())
    return _script.topic("shelf", facts, item=item)


SCENE = Scene(_script, write)
