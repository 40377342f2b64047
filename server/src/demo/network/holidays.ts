/**
 * Public holidays of 2026 and 2027, with the day off that follows one on a Sunday. Dates of the Islamic calendar are
 * the expected ones: the sighting of the moon may move them by a day.
 * Columns: day | name | states; without states it is a holiday of the whole country. An indented line continues the
 * row above.
 */
const table = `
2026-01-01 | New Year's Day | Kuala Lumpur, Putrajaya, Labuan, Selangor, Pulau Pinang, Perak, Negeri Sembilan,
  Melaka, Pahang, Sabah, Sarawak
2026-02-01 | Thaipusam | Kuala Lumpur, Putrajaya, Selangor, Pulau Pinang, Perak, Negeri Sembilan, Johor
2026-02-02 | Federal Territory Day (observed) | Kuala Lumpur, Putrajaya, Labuan
2026-02-17 | Chinese New Year
2026-02-18 | Chinese New Year, second day
2026-03-21 | Hari Raya Aidilfitri
2026-03-22 | Hari Raya Aidilfitri, second day
2026-03-23 | Hari Raya Aidilfitri (observed)
2026-05-01 | Labour Day
2026-05-27 | Hari Raya Haji
2026-05-30 | Harvest Festival | Sabah, Labuan
2026-05-31 | Wesak Day
2026-06-01 | King's Birthday
2026-06-02 | Gawai Dayak, second day | Sarawak
2026-06-17 | Awal Muharram
2026-07-22 | Sarawak Day | Sarawak
2026-08-25 | Prophet Muhammad's Birthday
2026-08-31 | National Day
2026-09-16 | Malaysia Day
2026-11-08 | Deepavali
2026-11-09 | Deepavali (observed)
2026-12-11 | Sultan of Selangor's Birthday | Selangor
2026-12-25 | Christmas Day
2027-01-01 | New Year's Day | Kuala Lumpur, Putrajaya, Labuan, Selangor, Pulau Pinang, Perak, Negeri Sembilan,
  Melaka, Pahang, Sabah, Sarawak
2027-01-22 | Thaipusam | Kuala Lumpur, Putrajaya, Selangor, Pulau Pinang, Perak, Negeri Sembilan, Johor
2027-02-01 | Federal Territory Day | Kuala Lumpur, Putrajaya, Labuan
2027-02-06 | Chinese New Year
2027-02-07 | Chinese New Year, second day
2027-02-08 | Chinese New Year (observed)
2027-03-10 | Hari Raya Aidilfitri
2027-03-11 | Hari Raya Aidilfitri, second day
2027-05-01 | Labour Day
2027-05-17 | Hari Raya Haji
2027-05-20 | Wesak Day
2027-05-31 | Harvest Festival | Sabah, Labuan
2027-06-01 | Gawai Dayak | Sarawak
2027-06-02 | Gawai Dayak, second day | Sarawak
2027-06-06 | Awal Muharram
2027-06-07 | King's Birthday
2027-07-22 | Sarawak Day | Sarawak
2027-08-15 | Prophet Muhammad's Birthday
2027-08-16 | Prophet Muhammad's Birthday (observed)
2027-08-31 | National Day
2027-09-16 | Malaysia Day
2027-10-28 | Deepavali
2027-12-11 | Sultan of Selangor's Birthday | Selangor
2027-12-25 | Christmas Day`

/** Holidays of the countries that most parcels go to. Columns: country | day | name. */
const abroad = `
sg | 2026-01-01 | New Year's Day
sg | 2026-02-17 | Chinese New Year
sg | 2026-02-18 | Chinese New Year, second day
sg | 2026-05-01 | Labour Day
sg | 2026-08-10 | National Day (observed)
sg | 2026-12-25 | Christmas Day
sg | 2027-01-01 | New Year's Day
sg | 2027-02-08 | Chinese New Year (observed)
sg | 2027-08-09 | National Day
cn | 2026-01-01 | New Year's Day
cn | 2026-02-17 | Spring Festival
cn | 2026-02-18 | Spring Festival, second day
cn | 2026-02-19 | Spring Festival, third day
cn | 2026-05-01 | Labour Day
cn | 2026-06-19 | Dragon Boat Festival
cn | 2026-09-25 | Mid-Autumn Festival
cn | 2026-10-01 | National Day
cn | 2026-10-02 | National Day, second day
cn | 2027-01-01 | New Year's Day
cn | 2027-02-08 | Spring Festival, third day
cn | 2027-10-01 | National Day
tw | 2026-01-01 | Founding Day
tw | 2026-02-17 | Spring Festival
tw | 2026-02-18 | Spring Festival, second day
tw | 2026-02-19 | Spring Festival, third day
tw | 2027-01-01 | Founding Day
hk | 2026-01-01 | New Year's Day
hk | 2026-02-17 | Lunar New Year
hk | 2026-02-18 | Lunar New Year, second day
hk | 2026-12-25 | Christmas Day
hk | 2027-01-01 | New Year's Day
gb | 2026-12-25 | Christmas Day
gb | 2027-01-01 | New Year's Day
us | 2026-11-26 | Thanksgiving Day
us | 2026-12-25 | Christmas Day
us | 2027-01-01 | New Year's Day
au | 2026-12-25 | Christmas Day
au | 2027-01-01 | New Year's Day`

type DemoHoliday = { country: string; day: string; name: string; state: string | null }

const splitCells = (text: string) =>
  text
    .trim()
    .split(/\n(?! )/)
    .map((row) => row.split('|').map((cell) => cell.trim()))

/** One row per day and state; a null state means the whole country. */
export const demoHolidays: readonly DemoHoliday[] = [
  ...splitCells(table).flatMap(([day = '', name = '', states]) =>
    (states?.split(/,\s+/) ?? [null]).map((state) => ({ country: 'my', day, name, state })),
  ),
  ...splitCells(abroad).map(([country = '', day = '', name = '']) => ({ country, day, name, state: null })),
]
