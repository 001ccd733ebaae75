"""DynamoDB in memory: the tables of the local stack, and of tests and simulations.

It has what the product and its tools use: items, conditions, transactions, global secondary indexes of whole items,
time to live and streams. Anything else is an error that names it. Tests compare its responses to random operations with
those of moto and DynamoDB Local (`tests/integration/local/dynamodb`).
"""
