/** Names of Malaysian states besides those of the postcode data; the values are those of the data. */

/** In Chinese, without `州` at the end. */
export const chineseStates: Readonly<Record<string, string>> = {
  雪兰莪: 'Selangor',
  雪蘭莪: 'Selangor',
  柔佛: 'Johor',
  槟城: 'Pulau Pinang',
  檳城: 'Pulau Pinang',
  槟榔屿: 'Pulau Pinang',
  霹雳: 'Perak',
  霹靂: 'Perak',
  吉打: 'Kedah',
  吉兰丹: 'Kelantan',
  吉蘭丹: 'Kelantan',
  登嘉楼: 'Terengganu',
  登嘉樓: 'Terengganu',
  丁加奴: 'Terengganu',
  彭亨: 'Pahang',
  森美兰: 'Negeri Sembilan',
  森美蘭: 'Negeri Sembilan',
  马六甲: 'Melaka',
  馬六甲: 'Melaka',
  玻璃市: 'Perlis',
  沙巴: 'Sabah',
  砂拉越: 'Sarawak',
  砂劳越: 'Sarawak',
  砂勞越: 'Sarawak',
  吉隆坡: 'Kuala Lumpur',
  布城: 'Putrajaya',
  纳闽: 'Labuan',
  納閩: 'Labuan',
}

/** In English and Malay, in lower case, without a space after a full stop. */
export const otherStateNames: Readonly<Record<string, string>> = {
  penang: 'Pulau Pinang',
  'p.pinang': 'Pulau Pinang',
  malacca: 'Melaka',
  'n.sembilan': 'Negeri Sembilan',
  'n sembilan': 'Negeri Sembilan',
  trengganu: 'Terengganu',
  kl: 'Kuala Lumpur',
}
