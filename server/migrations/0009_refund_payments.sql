-- A refund keeps where its money goes: the order may be imported anew while it is open.

ALTER TABLE refunds ADD COLUMN payee TEXT NOT NULL DEFAULT '';
-- The payment at the receiver, where it knows one.
ALTER TABLE refunds ADD COLUMN payment_reference TEXT;
-- While a refund is open its order could not change either of them so far.
UPDATE refunds SET
    payee = (SELECT orders.payee FROM orders WHERE orders.number = refunds.order_number),
    payment_reference = (SELECT orders.payment_reference FROM orders WHERE orders.number = refunds.order_number);
