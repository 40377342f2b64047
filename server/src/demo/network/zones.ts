/** A zone of the domestic rate cards and its states. */
export type DemoZone = { code: string; name: string; states: readonly string[] }

export const demoZones: readonly DemoZone[] = [
  { code: 'KV', name: 'Klang Valley', states: ['Kuala Lumpur', 'Selangor', 'Putrajaya'] },
  { code: 'NORTH', name: 'Northern Peninsula', states: ['Perlis', 'Kedah', 'Pulau Pinang', 'Perak'] },
  { code: 'SOUTH', name: 'Southern Peninsula', states: ['Negeri Sembilan', 'Melaka', 'Johor'] },
  { code: 'EAST', name: 'East Coast', states: ['Pahang', 'Terengganu', 'Kelantan'] },
  { code: 'SBH', name: 'Sabah and Labuan', states: ['Sabah', 'Labuan'] },
  { code: 'SWK', name: 'Sarawak', states: ['Sarawak'] },
]

/**
 * Places that are hard to reach, with the surcharge per parcel in sen. A postcode that an island shares with the
 * mainland has none, because nobody can tell them apart: 86800 is both Mersing and Tioman, 22300 both Kuala Besut and
 * the Perhentians.
 */
export const demoRemoteAreas: readonly { zone: string; from: string; to: string; surchargeMinor: number }[] = [
  // Langkawi, by ferry
  { zone: 'NORTH', from: '07000', to: '07999', surchargeMinor: 500 },
  // Pangkor, by ferry
  { zone: 'NORTH', from: '32300', to: '32300', surchargeMinor: 500 },
  // Pengkalan Hulu
  { zone: 'NORTH', from: '33100', to: '33100', surchargeMinor: 400 },
  // Pulau Ketam, by boat
  { zone: 'KV', from: '42940', to: '42940', surchargeMinor: 500 },
  // Dabong and Gua Musang
  { zone: 'EAST', from: '18200', to: '18300', surchargeMinor: 400 },
  // Cameron Highlands
  { zone: 'EAST', from: '39000', to: '39299', surchargeMinor: 400 },
  // Fraser's Hill
  { zone: 'EAST', from: '49000', to: '49000', surchargeMinor: 400 },
  // Genting Highlands
  { zone: 'EAST', from: '69000', to: '69000', surchargeMinor: 400 },
  // Nabawan
  { zone: 'SBH', from: '89950', to: '89999', surchargeMinor: 1_000 },
  // Beluran and Kinabatangan
  { zone: 'SBH', from: '90100', to: '90299', surchargeMinor: 800 },
  // Kapit, Song and Belaga, up the Rajang
  { zone: 'SWK', from: '96800', to: '96999', surchargeMinor: 1_200 },
  // Baram
  { zone: 'SWK', from: '98050', to: '98059', surchargeMinor: 1_200 },
  // Long Lama
  { zone: 'SWK', from: '98300', to: '98300', surchargeMinor: 1_200 },
  // Limbang and Lawas, through Brunei
  { zone: 'SWK', from: '98700', to: '98899', surchargeMinor: 1_000 },
]

/**
 * A zone of the international rates with its countries (lower-case codes): where we ship from, and where partners
 * deliver.
 */
export const demoInternationalZones: readonly { code: string; name: string; countries: readonly string[] }[] = [
  { code: 'MY', name: 'Malaysia', countries: ['my'] },
  { code: 'SG', name: 'Singapore and Brunei', countries: ['sg', 'bn'] },
  { code: 'SEA', name: 'South-East Asia', countries: ['th', 'id', 'vn', 'ph', 'kh', 'la', 'mm', 'tl'] },
  { code: 'CN', name: 'China', countries: ['cn'] },
  { code: 'HKTW', name: 'Hong Kong, Macau and Taiwan', countries: ['hk', 'mo', 'tw'] },
  { code: 'JPKR', name: 'Japan and Korea', countries: ['jp', 'kr'] },
  { code: 'SAS', name: 'South Asia', countries: ['in', 'bd', 'lk', 'np', 'pk', 'mv'] },
  { code: 'OCE', name: 'Australia and New Zealand', countries: ['au', 'nz'] },
  { code: 'MEA', name: 'Middle East', countries: ['ae', 'sa', 'qa', 'kw', 'om', 'bh', 'tr', 'il', 'jo'] },
  {
    code: 'EUR',
    name: 'Europe',
    countries: [
      ...['gb', 'ie', 'fr', 'de', 'nl', 'be', 'lu', 'at', 'ch', 'it', 'es', 'pt', 'dk', 'se', 'no', 'fi'],
      ...['pl', 'cz', 'sk', 'hu', 'ro', 'bg', 'gr', 'hr', 'si', 'ee', 'lv', 'lt', 'cy', 'mt', 'is'],
    ],
  },
  { code: 'AME', name: 'North America', countries: ['us', 'ca', 'mx'] },
]
