/** Words by which parts of an address are known, in English, Malay and Chinese. */

/** Towns and states as Chinese writers call them; values as the postcode data has them. */
export const chineseStates: Readonly<Record<string, string>> = {
  雪兰莪: 'Selangor',
  柔佛: 'Johor',
  槟城: 'Pulau Pinang',
  檳城: 'Pulau Pinang',
  槟榔屿: 'Pulau Pinang',
  霹雳: 'Perak',
  吉打: 'Kedah',
  吉兰丹: 'Kelantan',
  登嘉楼: 'Terengganu',
  彭亨: 'Pahang',
  森美兰: 'Negeri Sembilan',
  马六甲: 'Melaka',
  玻璃市: 'Perlis',
  沙巴: 'Sabah',
  砂拉越: 'Sarawak',
  砂劳越: 'Sarawak',
  吉隆坡: 'Kuala Lumpur',
  布城: 'Putrajaya',
  纳闽: 'Labuan',
}
export const chineseCities: Readonly<Record<string, string>> = {
  吉隆坡: 'Kuala Lumpur',
  八打灵再也: 'Petaling Jaya',
  八打灵: 'Petaling Jaya',
  莎阿南: 'Shah Alam',
  梳邦再也: 'Subang Jaya',
  巴生: 'Klang',
  蒲种: 'Puchong',
  加影: 'Kajang',
  安邦: 'Ampang',
  新山: 'Johor Bahru',
  峇株巴辖: 'Batu Pahat',
  麻坡: 'Muar',
  居銮: 'Kluang',
  乔治市: 'George Town',
  北海: 'Butterworth',
  大山脚: 'Bukit Mertajam',
  怡保: 'Ipoh',
  太平: 'Taiping',
  芙蓉: 'Seremban',
  关丹: 'Kuantan',
  亚罗士打: 'Alor Setar',
  哥打峇鲁: 'Kota Bharu',
  瓜拉登嘉楼: 'Kuala Terengganu',
  马六甲: 'Melaka',
  古晋: 'Kuching',
  美里: 'Miri',
  诗巫: 'Sibu',
  亚庇: 'Kota Kinabalu',
  山打根: 'Sandakan',
  斗湖: 'Tawau',
  布城: 'Putrajaya',
}

/** Names of countries that lists spell otherwise. */
export const countryNames: Readonly<Record<string, string>> = {
  usa: 'us',
  'u.s.a.': 'us',
  'united states of america': 'us',
  america: 'us',
  uk: 'gb',
  england: 'gb',
  scotland: 'gb',
  wales: 'gb',
  'great britain': 'gb',
  uae: 'ae',
  korea: 'kr',
  'south korea': 'kr',
  taiwan: 'tw',
  vietnam: 'vn',
  macau: 'mo',
  brunei: 'bn',
  holland: 'nl',
  'p.r. china': 'cn',
  prc: 'cn',
  马来西亚: 'my',
  大马: 'my',
  中国: 'cn',
  香港: 'hk',
  台湾: 'tw',
  澳门: 'mo',
  新加坡: 'sg',
  日本: 'jp',
  韩国: 'kr',
  美国: 'us',
  英国: 'gb',
}

/** A label before what follows it: which field that is. */
export const labels: readonly (readonly [
  field: 'contactName' | 'company' | 'phone' | 'email' | 'address' | 'postcode',
  words: string,
])[] = [
  [
    'contactName',
    'receiver|recipient|consignee|sender|contact(?: person)?|attn|attention|full name|name|nama|penerima|收件人|收货人|寄件人|联系人|姓名',
  ],
  [
    'phone',
    'mobile(?: no)?|phone(?: no)?|tel(?:ephone)?|h\\/?p|hand ?phone|contact (?:no|number)|no\\.? tel(?:efon)?|电话|手机号码|手机|联系电话',
  ],
  ['email', 'e-?mail|邮箱|电邮'],
  ['company', 'company|syarikat|公司名称|公司'],
  ['postcode', 'postcode|postal code|zip(?: code)?|poskod|邮编|邮政编码'],
  ['address', 'delivery address|shipping address|address|alamat|add|详细地址|收货地址|地址'],
]

export const companyWords =
  /\b(?:sdn\.?|bhd\.?|berhad|enterprise|trading|plt|pte|ltd|limited|inc|llc|llp|corp|corporation|gmbh|company|holdings|resources)\b|公司|有限|企业|商行|商店|工作室/i

export const streetWords =
  /\b(?:no\.?|lot|unit|suite|blk|block|blok|floor|flr|level|tingkat|jalan|jln|lorong|lrg|lengkok|persiaran|lebuh|lebuhraya|taman|tmn|kampung|kg|bandar|seksyen|section|desa|apartment|apt|condo(?:minium)?|residenc[ey]s?|menara|wisma|plaza|tower|street|st|road|rd|avenue|ave|drive|dr|lane|ln|boulevard|blvd|way|court|ct|close|crescent|square|house|building|batu|rumah|pangsapuri|flat|ss\d*|usj\s?\d*|po box|p\.o\.)\b|[路街巷弄道号號楼樓栋室座区區村镇花园大厦单元]/i
