/** The stations of the demo. */
import type { ServiceCode, StationType } from '@waybill/contract/ground/enums/enums'

/**
 * A station of the demo's network. Towns, postcodes and coordinates are real; street addresses and telephone numbers
 * are made up.
 */
export type DemoStation = {
  code: string
  name: string
  type: StationType
  line1: string
  postcode: string
  city: string
  state: string
  latitude: number
  longitude: number
  phone: string
  /** The postcodes that its riders serve. Where ranges overlap, the narrowest wins. */
  covers: { from: string; to: string }[]
}

const counter = ['delivery', 'pickup', 'self_collection', 'drop_off', 'enquiry'] as const
const services = {
  // Warehouses handle whole pallets; receivers cannot collect parcels there.
  warehouse: { e_parcel: ['drop_off', 'enquiry'], semi_express: ['drop_off', 'enquiry'] },
  service_center_t1: { e_parcel: counter, semi_express: counter },
  service_center_t2: { e_parcel: counter, semi_express: ['delivery', 'pickup', 'drop_off'] },
  service_center_3rd_party: { e_parcel: ['drop_off', 'self_collection'], semi_express: [] },
} as const satisfies Record<StationType, Record<'e_parcel' | 'semi_express', readonly string[]>>

/** The services that a station of a type offers. */
export function listServiceCodes(type: StationType): ServiceCode[] {
  const { e_parcel, semi_express } = services[type]
  return [
    ...e_parcel.map((what) => `e_parcel.${what}` as const),
    ...semi_express.map((what) => `semi_express.${what}` as const),
  ]
}

type Day = { open: string; close: string } | null
/**
 * States whose weekly day of rest is Friday: shops close then and open on Sunday. Johor went back to Sunday in 2025.
 */
const fridayStates: readonly string[] = ['Kedah', 'Kelantan', 'Terengganu']

/** Opening hours from Monday to Sunday, in Malaysian time. */
export function getOpeningHours({ type, state }: Pick<DemoStation, 'type' | 'state'>): Day[] {
  const everyDay = (open: string, close: string) => Array.from({ length: 7 }, () => ({ open, close }))
  if (type === 'warehouse') return everyDay('07:00', '23:00')
  if (type === 'service_center_3rd_party') return everyDay('08:00', '22:00')
  const whole = type === 'service_center_t1' ? { open: '08:30', close: '19:00' } : { open: '09:00', close: '18:00' }
  const half = { open: whole.open, close: '13:00' }
  const rest = fridayStates.includes(state) ? 4 : 6
  return Array.from({ length: 7 }, (_, day) => (day === rest ? null : day === 5 ? half : whole))
}

/** The latest time at which parcels still leave the same evening (`HH:MM`). Flights from Borneo leave early. */
export function getCutOffTime({ type, state }: Pick<DemoStation, 'type' | 'state'>): string {
  if (['Sabah', 'Sarawak', 'Labuan'].includes(state)) return '15:00'
  return type === 'service_center_t1' ? '17:00' : '16:00'
}

/** The station types by the two letters after the dash in a code. */
const kinds: Record<string, StationType> = {
  WH: 'warehouse',
  T1: 'service_center_t1',
  T2: 'service_center_t2',
  PP: 'service_center_3rd_party',
}

/**
 * code | name | street | postcode | city | state | latitude | longitude | phone | postcodes served. An indented line
 * continues the row above. Warehouses come first, then the rest from north to south, Borneo last.
 */
const table = `
SHA-WH1 | Shah Alam Central Hub | Lot 12, Jalan Gudang 16/9, Seksyen 16 | 40200 | Shah Alam | Selangor |
  3.0497 | 101.5353 | +60355418800 |
PEN-WH1 | Perai Northern Hub | 1160, Lorong Perindustrian Bukit Minyak 7 | 13600 | Perai | Pulau Pinang |
  5.3731 | 100.4089 | +6043901170 |
JHB-WH1 | Johor Southern Hub | PLO 88, Jalan Cyber 5, Kawasan Perindustrian Senai III | 81400 | Senai | Johor |
  1.6126 | 103.6614 | +6075991420 |
KUA-WH1 | Kuantan East Coast Hub | Lot 45, Jalan Industri Semambu 4 | 25350 | Kuantan | Pahang | 3.8606 |
  103.3258 | +6095603370 |
KCH-WH1 | Kuching Hub | Lot 967, Jalan Dermaga, Pending Industrial Estate | 93450 | Kuching | Sarawak |
  1.5526 | 110.3817 | +6082343790 |
BKI-WH1 | Kota Kinabalu Hub | Lot 8, Jalan 1J, KKIP Timur, Inanam | 88450 | Kota Kinabalu | Sabah | 6.0587 |
  116.1529 | +6088494210 |
KGR-T11 | Kangar | 18, Jalan Kangar Utama 2, Pusat Bandar Kangar | 01000 | Kangar | Perlis | 6.4366 |
  100.1943 | +6049771520 | 01000-02999
AOR-T11 | Alor Setar | 56, Jalan Tunku Ibrahim | 05000 | Alor Setar | Kedah | 6.1198 | 100.3671 | +6047331190 |
  05000-06999
LGK-T21 | Langkawi | 22, Jalan Pandak Mayah 4, Kuah | 07000 | Langkawi | Kedah | 6.3226 | 99.8437 |
  +6049667140 | 07000-07999
SPT-T21 | Sungai Petani | 101, Jalan Legenda 3, Legenda Heights | 08000 | Sungai Petani | Kedah | 5.6442 |
  100.4931 | +6044228360 | 08000-09999
PEN-T11 | George Town | 37, Jalan Burma | 10050 | Pulau Pinang | Pulau Pinang | 5.4204 | 100.3287 |
  +6042276540 | 10000-11999
BAY-T21 | Bayan Lepas | 15, Lintang Mayang Pasir 3 | 11950 | Bayan Lepas | Pulau Pinang | 5.3266 | 100.2874 |
  +6046437720 | 11900-11999
BTW-T11 | Butterworth | 2741, Jalan Chain Ferry, Taman Inderawasih | 12100 | Butterworth | Pulau Pinang |
  5.3937 | 100.3716 | +6043324180 | 12000-14999 34950-34950
BKM-PP1 | Kedai Runcit Aman, Bukit Mertajam | 8, Jalan Kulim | 14000 | Bukit Mertajam | Pulau Pinang | 5.3646 |
  100.4601 | +6045381960 |
IPH-T11 | Ipoh | 120, Jalan Sultan Idris Shah | 30000 | Ipoh | Perak | 4.5972 | 101.0813 | +6052433610 |
  30000-36999 39000-39299
TPG-T21 | Taiping | 77, Jalan Kota | 34000 | Taiping | Perak | 4.8521 | 100.7403 | +6058073250 | 34000-34949
SIT-PP1 | Pusat Serbaneka Manjung, Sitiawan | 31, Jalan Lumut | 32000 | Sitiawan | Perak | 4.2169 | 100.6967 |
  +6056913480 |
SHA-T11 | Shah Alam | 23, Jalan Tengku Ampuan Zabedah D 9/D, Seksyen 9 | 40100 | Shah Alam | Selangor |
  3.0845 | 101.5316 | +60355192730 | 40000-49999 63000-64999 68000-68199
KLG-T21 | Klang | 66, Jalan Batai Laut 4, Taman Intan | 41300 | Klang | Selangor | 3.0531 | 101.4448 |
  +60333445160 | 41000-42999
KJG-T21 | Kajang | 19, Jalan Prima Saujana 2/D | 43000 | Kajang | Selangor | 3.0029 | 101.7955 | +60387391240 |
  43000-43999
PJY-T11 | Petaling Jaya | 11, Jalan 52/4, Seksyen 52 | 46200 | Petaling Jaya | Selangor | 3.1012 | 101.6443 |
  +60379551830 | 46000-46999 47300-47499 47800-47899
SBJ-T21 | Subang Jaya | 42, Jalan SS 15/4D | 47500 | Subang Jaya | Selangor | 3.0757 | 101.5869 |
  +60356315470 | 47500-47699 55555-55555
PCH-PP1 | Kedai Buku Kenari, Puchong | 5, Jalan Kenari 5, Bandar Puchong Jaya | 47100 | Puchong | Selangor |
  3.0451 | 101.6215 | +60380757290 |
KUL-T11 | Kuala Lumpur City | 88, Jalan Tuanku Abdul Rahman | 50100 | Kuala Lumpur | Kuala Lumpur | 3.1552 |
  101.6969 | +60326942510 | 50000-60000
KUL-T21 | Setapak | 33, Jalan Genting Klang | 53300 | Setapak | Kuala Lumpur | 3.2027 | 101.7168 |
  +60340237950 | 53000-53399
KUL-T22 | Cheras | 14, Jalan Manis 4, Taman Segar | 56100 | Kuala Lumpur | Kuala Lumpur | 3.0887 | 101.7412 |
  +60391325680 | 56000-56999
KUL-PP1 | Kedai Serbaneka Telawi, Bangsar | 21, Jalan Telawi 3, Bangsar Baru | 59100 | Kuala Lumpur |
  Kuala Lumpur | 3.1309 | 101.6715 | +60322876140 |
PUT-T21 | Putrajaya | 9, Jalan Diplomatik, Presint 15 | 62050 | Putrajaya | Putrajaya | 2.9447 | 101.7174 |
  +60388902360 | 62000-62999
SER-T11 | Seremban | 45, Jalan Dato' Bandar Tunggal | 70000 | Seremban | Negeri Sembilan | 2.7258 | 101.9381 |
  +6067628190 | 70000-73999
MLK-T11 | Melaka | 27, Jalan Merdeka, Taman Melaka Raya | 75000 | Melaka | Melaka | 2.1868 | 102.2513 |
  +6062833740 | 75000-78999
MLK-PP1 | Kedai Alat Tulis Keroh, Ayer Keroh | 12, Jalan Ayer Keroh Lama | 75450 | Ayer Keroh | Melaka |
  2.2682 | 102.2866 | +6062321580 |
JHB-T11 | Johor Bahru | 61, Jalan Wong Ah Fook | 80000 | Johor Bahru | Johor | 1.4591 | 103.7646 |
  +6072239460 | 79000-86999
SKD-T21 | Skudai | 30, Jalan Pendidikan 5, Taman Universiti | 81300 | Johor Bahru | Johor | 1.5397 | 103.6291 |
  +6075202870 | 79000-79999 81000-81099 81300-81499 82000-82999
BPT-T21 | Batu Pahat | 55, Jalan Rahmat | 83000 | Batu Pahat | Johor | 1.8522 | 102.9316 | +6074343190 |
  83000-84999 86400-86499
KBR-T11 | Kota Bharu | 1142, Jalan Padang Garong | 15000 | Kota Bharu | Kelantan | 6.1259 | 102.2387 |
  +6097447320 | 15000-18999
TGG-T11 | Kuala Terengganu | 64, Jalan Sultan Ismail | 20200 | Kuala Terengganu | Terengganu | 5.3301 |
  103.1369 | +6096234710 | 20000-24999
KUA-T11 | Kuantan | 98, Jalan Teluk Sisek | 25000 | Kuantan | Pahang | 3.8091 | 103.3371 | +6095157640 | 25000-28999
TEM-T21 | Temerloh | 17, Jalan Dato' Hamzah | 28000 | Temerloh | Pahang | 3.4506 | 102.4176 | +6092961830 |
  27000-28999 49000-49000 69000-69000
KCH-T11 | Kuching | 203, Jalan Padungan | 93100 | Kuching | Sarawak | 1.5577 | 110.3543 | +6082247160 | 93000-95999
SBW-T11 | Sibu | 25, Jalan Kampung Nyabor | 96000 | Sibu | Sarawak | 2.2896 | 111.8303 | +6084328470 | 96000-96999
MYY-T11 | Miri | Lot 512, Jalan Merpati | 98000 | Miri | Sarawak | 4.3933 | 113.9877 | +6085417290 | 97000-98999
BKI-T11 | Kota Kinabalu | 50, Jalan Gaya | 88000 | Kota Kinabalu | Sabah | 5.9836 | 116.0771 | +6088231560 | 87000-89999
LBU-T21 | Labuan | U0068, Jalan Merdeka | 87000 | Labuan | Labuan | 5.2767 | 115.2417 | +6087412930 | 87000-87999
PPG-PP1 | Kedai Runcit Kasigui, Penampang | 7, Jalan Penampang | 89500 | Penampang | Sabah | 5.9173 |
  116.1067 | +6088718340 |
SDK-T11 | Sandakan | 36, Jalan Tiga | 90000 | Sandakan | Sabah | 5.8394 | 118.1172 | +6089212780 | 90000-90999
TWU-T21 | Tawau | 83, Jalan Dunlop | 91000 | Tawau | Sabah | 4.2447 | 117.8911 | +6089763150 | 91000-91999`

function parse(row: string): DemoStation {
  const cells = row.split('|').map((cell) => cell.trim())
  const [code = '', name = '', line1 = '', postcode = '', city = '', state = '', north, east, phone = '', covers = ''] =
    cells
  const type = kinds[code.slice(4, 6)]
  if (!type) throw new Error(`${code} is no station's code`)
  const ranges = covers.split(' ').flatMap((range) => {
    const [from, to] = range.split('-')
    return from && to ? [{ from, to }] : []
  })
  const place = { line1, postcode, city, state, latitude: Number(north), longitude: Number(east) }
  return { code, name, type, ...place, phone, covers: ranges }
}

export const demoStations: readonly DemoStation[] = table
  .trim()
  .split(/\n(?! )/)
  .map(parse)
