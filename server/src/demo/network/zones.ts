/** A zone with its names in English and Chinese. */
export type NamedZone = { code: string; name: string; nameZh: string }
/** A zone of the domestic rate cards and its states. */
type DemoZone = NamedZone & { states: readonly string[] }

export const demoZones: readonly DemoZone[] = [
  { code: 'KV', name: 'Klang Valley', nameZh: '巴生谷', states: ['Kuala Lumpur', 'Selangor', 'Putrajaya'] },
  { code: 'NORTH', name: 'Northern Peninsula', nameZh: '北马', states: ['Perlis', 'Kedah', 'Pulau Pinang', 'Perak'] },
  { code: 'SOUTH', name: 'Southern Peninsula', nameZh: '南马', states: ['Negeri Sembilan', 'Melaka', 'Johor'] },
  { code: 'EAST', name: 'East Coast', nameZh: '东海岸', states: ['Pahang', 'Terengganu', 'Kelantan'] },
  { code: 'SBH', name: 'Sabah and Labuan', nameZh: '沙巴与纳闽', states: ['Sabah', 'Labuan'] },
  { code: 'SWK', name: 'Sarawak', nameZh: '砂拉越', states: ['Sarawak'] },
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
export const demoInternationalZones: readonly (NamedZone & { countries: readonly string[] })[] = [
  { code: 'MY', name: 'Malaysia', nameZh: '马来西亚', countries: ['my'] },
  { code: 'SG', name: 'Singapore and Brunei', nameZh: '新加坡与文莱', countries: ['sg', 'bn'] },
  {
    code: 'SEA',
    name: 'South-East Asia',
    nameZh: '东南亚',
    countries: ['th', 'id', 'vn', 'ph', 'kh', 'la', 'mm', 'tl'],
  },
  { code: 'CN', name: 'China', nameZh: '中国大陆', countries: ['cn'] },
  { code: 'HKTW', name: 'Hong Kong, Macau and Taiwan', nameZh: '港澳台', countries: ['hk', 'mo', 'tw'] },
  { code: 'JPKR', name: 'Japan and Korea', nameZh: '日本与韩国', countries: ['jp', 'kr'] },
  { code: 'SAS', name: 'South Asia', nameZh: '南亚', countries: ['in', 'bd', 'lk', 'np', 'pk', 'mv'] },
  { code: 'OCE', name: 'Australia and New Zealand', nameZh: '澳大利亚与新西兰', countries: ['au', 'nz'] },
  {
    code: 'MEA',
    name: 'Middle East',
    nameZh: '中东',
    countries: ['ae', 'sa', 'qa', 'kw', 'om', 'bh', 'tr', 'il', 'jo'],
  },
  {
    code: 'EUR',
    name: 'Europe',
    nameZh: '欧洲',
    countries: [
      ...['gb', 'ie', 'fr', 'de', 'nl', 'be', 'lu', 'at', 'ch', 'it', 'es', 'pt', 'dk', 'se', 'no', 'fi'],
      ...['pl', 'cz', 'sk', 'hu', 'ro', 'bg', 'gr', 'hr', 'si', 'ee', 'lv', 'lt', 'cy', 'mt', 'is'],
    ],
  },
  { code: 'AME', name: 'North America', nameZh: '北美', countries: ['us', 'ca', 'mx'] },
]
