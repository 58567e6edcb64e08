-- How often servers asked by themselves: the interval between two of their looks grows with these alone.
ALTER TABLE effects ADD COLUMN server_looks BIGINT NOT NULL DEFAULT 0;
-- The count of the latest look that has ended and found nothing new: nobody needs to wait for what it brings.
ALTER TABLE effects ADD COLUMN ended_look BIGINT NOT NULL DEFAULT 0;
UPDATE effects SET server_looks = looks, ended_look = looks;
