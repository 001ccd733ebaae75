"""DynamoDB in memory: the tables of the local stack, and of tests and simulations.

It has what the product and its tools ask for: items, conditions, transactions, global secondary indexes of whole items,
time to live and streams. What it does not have is refused by name. Random operations get the same answers from it as
from moto and from DynamoDB Local (`tests/integration/local/dynamodb`).
"""
