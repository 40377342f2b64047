-- It is asked of few rows and always by its index: as dear as it is, PostgreSQL would start other processes to ask it of these.
alter function parcel_terms(uuid, text) cost 25 parallel restricted;
