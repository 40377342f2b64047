/** A spreadsheet of the demo's first shop, with good rows and every kind of mistake, read by the normal job. */

const heads = [
  ...['Receiver name', 'Phone', 'Address line 1', 'Postcode', 'City', 'State', 'Weight', 'Length', 'Width', 'Height'],
  ...['Service', 'Contents', 'Reference'],
]

const lines = `
Nurul Huda|012-345 6789|12 Jalan Burma|10050|George Town|Pulau Pinang|1.2|30|20|10||Two batik shirts|NOV-201
Chong Li Wei|+60 16-778 1234|8 Jalan Wong Ah Fook|80000|Johor Bahru|Johor|0.8|25|18|8|E-parcel|Scarf|NOV-202
Siva Kumar|19-876 5432|3 Jalan Sultan|50000|Kuala Lumpur|Kuala Lumpur|2|30|30|15|Semi-expres|Table cloth|NOV-203
Farah Idris|13-224 5566|21 Jalan Telawi|59100|Kuala Lumpur|Selangor|1,2 kg|30|20|10||Sarong|NOV-204
Lim Boon Keng|012-998 7766|5 Jalan Tun Razak|99999|Kuala Lumpur|Kuala Lumpur|1.5|28|22|12||Batik set|NOV-205
Aminah Yusof|011-2345 6789|17 Jalan Merdeka|75000|Melaka|Melaka|3.4|40|30|20||Curtains|NOV-206
Grace Tan|017-556 8899|9 Jalan Gaya|88000|Kota Kinabalu|Sabah|1|20|20|||Cushion covers|NOV-207
Nurul Huda|012-345 6789|12 Jalan Burma|10050|George Town|Pulau Pinang|1.2|30|20|10||Two batik shirts|NOV-201
`
  .trim()
  .split('\n')
  .map((line) => line.split('|'))

/** The file's name and its cells, header row first. */
export const spreadsheet = { name: 'November orders.xlsx', cells: [heads, ...lines] }
