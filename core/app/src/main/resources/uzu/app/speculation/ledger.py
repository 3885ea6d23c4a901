"""A ledger of accounts: entries are added, checked, summed up and written as text."""

from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal


class LedgerError(Exception):
    """An entry that can't be booked, or an account that nobody opened."""


@dataclass(frozen=True)
class Entry:
    """A single booking between two accounts."""

    day: date
    source: str
    target: str
    amount: Decimal
    note: str = ""

    def __post_init__(self):
        if self.amount <= 0:
            raise LedgerError(f"the amount must be positive, not {self.amount}")
        if self.source == self.target:
            raise LedgerError(f"an entry needs two accounts, not {self.source} twice")


@dataclass
class Account:
    """An account with the entries that touch it."""

    name: str
    limit: Decimal = Decimal(0)
    entries: list[Entry] = field(default_factory=list)

    def balance(self, until=None):
        total = Decimal(0)
        for entry in self.entries:
            if until is not None and entry.day > until:
                continue
            if entry.target == self.name:
                total += entry.amount
            if entry.source == self.name:
                total -= entry.amount
        return total

    def can_pay(self, amount):
        return self.balance() - amount >= -self.limit


class Ledger:
    """All accounts and all entries, in the order in which they were booked."""

    def __init__(self):
        self.accounts = {}
        self.entries = []

    def open(self, name, limit=Decimal(0)):
        if name in self.accounts:
            raise LedgerError(f"the account {name} is open already")
        self.accounts[name] = Account(name, limit)
        return self.accounts[name]

    def account(self, name):
        if name not in self.accounts:
            raise LedgerError(f"there is no account {name}")
        return self.accounts[name]

    def book(self, day, source, target, amount, note=""):
        entry = Entry(day, source, target, Decimal(amount), note)
        payer = self.account(source)
        payee = self.account(target)
        if not payer.can_pay(entry.amount):
            raise LedgerError(f"{source} can't pay {entry.amount}")
        payer.entries.append(entry)
        payee.entries.append(entry)
        self.entries.append(entry)
        return entry

    def total(self, until=None):
        return sum(account.balance(until) for account in self.accounts.values())

    def month(self, year, number):
        return [entry for entry in self.entries if entry.day.year == year and entry.day.month == number]

    def report(self, until=None):
        lines = []
        for name in sorted(self.accounts):
            account = self.accounts[name]
            lines.append(f"{name:<20}{account.balance(until):>12.2f}{len(account.entries):>6}")
        lines.append(f"{'total':<20}{self.total(until):>12.2f}{len(self.entries):>6}")
        return "\n".join(lines)
