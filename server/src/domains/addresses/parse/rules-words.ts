/** Words and names that identify the parts of an address, in English, Malay and Chinese. */

/** Builds a long regular expression from several lines. */
const pattern = (flags: string, pieces: readonly string[]) => new RegExp(pieces.join(''), flags)

/** Chinese names of cities; the values are those of the postcode data. */
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

/** Common names of countries that differ from the official lists. */
export const countryNames: Readonly<Record<string, string>> = {
  usa: 'us',
  'u.s.a.': 'us',
  'united states': 'us',
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

/** Labels before a value, with their fields. */
export const labels: readonly (readonly [
  field: 'contactName' | 'company' | 'phone' | 'email' | 'address' | 'postcode' | 'city' | 'remarks',
  words: string,
])[] = [
  [
    'contactName',
    '(?:receiver|recipient|customer)(?:.s)? name|nama (?:penerima|penuh|pengirim)|receiver|recipient|' +
      'consignee|sender|contact(?: person)?|attn|attention|full name|name|nama|penerima|pengirim|收件人|收货人|' +
      '寄件人|联系人|姓名|收件|收',
  ],
  [
    'phone',
    'mobile(?: no)?|phone(?: no)?|tel(?:ephone|efon)?|h\\/?p|hand ?phone|whats ?app|contact (?:no|' +
      'number)|no\\.? (?:tel(?:efon)?|h\\/?p|fon)|联系电话|手机号码|电话|手机',
  ],
  ['email', 'e-?mail|邮箱|电邮'],
  ['company', 'company|syarikat|c/o|公司名称|公司'],
  ['city', 'city|town|bandar|城市'],
  ['remarks', 'remarks?|notes?|nota|catatan|备注|留言|附言'],
  ['postcode', 'postcode|postal code|zip(?: code)?|poskod|邮编|邮政编码'],
  ['address', 'delivery address|shipping address|address|alamat|addr?|详细地址|收货地址|地址'],
]

/** Words that mark a company's name. */
export const companyWords = pattern('i', [
  String.raw`\b(?:sdn\.?|bhd\.?|berhad|enterprise|trading|plt|pte|ltd|limited|inc|llc|llp|corp|corporation|`,
  String.raw`gmbh|company|holdings|resources)\b|公司|有限|企业|商行|商店|工作室`,
])

/** Words that mark a street or building. */
export const streetWords = pattern('i', [
  String.raw`\b(?:no\.?|lot|unit|suite|blk|block|blok|floor|flr|level|tingkat|jalan|jln|lorong|lrg|lengkok|`,
  'persiaran|lebuh|lebuhraya|taman|tmn|kampung|kg|bandar|seksyen|section|desa|apartment|apt|',
  'condo(?:minium)?|residenc[ey]s?|menara|wisma|plaza|tower|street|st|road|rd|avenue|ave|drive|dr|',
  'lane|ln|boulevard|blvd|way|court|ct|close|crescent|square|house|building|batu|rumah|pangsapuri|',
  String.raw`flat|ss\d*|usj\s?\d*|po box|p\.o\.|heights?|villas?|gardens?|mall|klcc|vista|regency|mansion|`,
  String.raw`complex|kompleks|suites|homes|bukit|dataran|pusat|presint|precinct|parit|simpang|felda)\b|`,
  '[路街巷弄道号號楼樓栋室座区區村镇]|花园|大厦|单元',
])

/** Words that begin a street after a name without a comma. */
export const streetStarts = pattern('i', [
  String.raw`\s(?:(?:no\.?\s?|lot\s?|unit\s|blo[ck]k?\s|blk\.?\s?)(?=[a-z]?-?\d)|(?:jalan|jln|lorong|lrg|`,
  String.raw`lebuh|persiaran|kg\.?|kampung|taman|tmn)\s|\d+[a-z]?,?\s+(?:jalan|jln|lorong|lrg|lebuh|`,
  'persiaran))',
])

/** Openings of messages before the address. */
export const leadIns = pattern('i', [
  String.raw`^\s*(?:(?:hi|hello|hey|dear|salam|您好|你好)\b[\s,!]*|(?:(?:pls|please|kindly|tolong)\s+)?(?:send|`,
  String.raw`ship|deliver|post|hantar)(?:\s+(?:it|this|ke|kepada))?\s+to\s*:?\s*|(?:my|the|here is (?:my|`,
  String.raw`the)|here's (?:my|the))\s+address(?:\s+is)?\s*:?\s*|(?:(?:tolong|sila|mohon)\s+)?(?:hantar|pos) `,
  String.raw`(?:ke|kepada)\s*:?\s*|(?:to|kepada)\s*[:：]\s*|`,
  String.raw`(?:我的)?地址如下\s*[:：]?\s*|(?:请)?寄(?:到|给)\s*[:：]?\s*)`,
])

/** Phrases of politeness and of forwarded messages. */
export const debrisWords = pattern('iu', [
  '^(?:hi|hello|hey|ok(?:ay)?|thanks?(?: you)?(?: so much| very much)?|thank you|tq|ty|thx|',
  String.raw`terima kasih|forwarded(?: message)?|谢谢|感谢|多谢|您好|你好|[^\p{L}\p{N}]+)[.!\s]*$`,
])

/** Words that begin a remark after an address without punctuation. */
export const remarkStarts =
  /(?:pls|plz|please|kindly|tolong|sila|do not|don't|请|麻烦|勿|不要|放门口|放保安|放在|易碎|急件)(?:\s|$|(?<=[\u3400-\u9fff]))/

/** Words that mark remarks for the rider. */
export const remarkWords = pattern('i', [
  String.raw`^(?:remarks?|notes?|nota|catatan|备注|留言|附言)\s*[:：]|\b(?:pls|plz|please|kindly|tolong|sila)\b|`,
  String.raw`^call\b|^(?:opposite|opp\.?|near|beside|behind|next to|in front of|depan|belakang|sebelah|`,
  String.raw`berhampiran)\s|\b(?:whats ?app|call|sms) only\b|\b(?:call|whatsapp|sms|text|ring|knock|`,
  String.raw`contact)\s+(?:me|us|before|when|first|upon|the bell|dulu|him|her)\b|\bleave (?:it |`,
  String.raw`parcel )?(?:at|with|in|by|outside)\b|\b(?:deliver|delivery|send|come|available|`,
  String.raw`anytime)\s+(?:only\s+)?(?:before|after|on|by|between)\b|\b(?:before|`,
  String.raw`after)\s+\d{1,2}(?:[:.]\d{2})?\s?(?:am|pm|noon)\b|\boffice hours?\b|\b(?:fragile|urgent|`,
  String.raw`handle with care|keep (?:dry|cool|frozen))\b|\b(?:do not|don't|jangan)\b|\b(?:guard ?house|`,
  String.raw`self.?pick ?up)\b|^(?:order|inv(?:oice)?|ref(?:erence)?)\s*(?:no\.?)?\s*[:#]|^(?:cod\s*)?(?:rm|`,
  String.raw`myr)\s?\d|^cod\b|请|麻烦|放在|放门口|放保安|放管理处|勿|不要|送货前|易碎|急件|尽快|代收`,
])

/** A telephone label directly before its number. */
export const phoneLabels = pattern('i', [
  String.raw`(?:\b(?:tel(?:ephone|efon)?|h/?p|phone|mobile|contact|call|whats ?app|ws|no\.? (?:tel|`,
  String.raw`hp))\s*(?:no\.?|number)?|电话|手机号码|手机)\s*[.:：]?\s*$`,
])

/** Titles and particles that mark a person's name. */
export const personWords = pattern('i', [
  String.raw`^(?:mr|mrs|ms|miss|mdm|madam|dr|prof|ir|sir|encik|en|puan|pn|cik|tuan|dato'?|datuk|datin|`,
  String.raw`tan sri|puan sri|tun|haji|hajah|hj|hjh|uncle|auntie|aunty)\b\.?\s|\b(?:bin|binti|bte?|b\.|a/l|`,
  String.raw`a/p|s/o|d/o|anak|@)\s|(?:先生|小姐|女士|太太|师傅|老师)$`,
])

/** Common names of people in Latin letters: Chinese family names and Malaysian given names. */
export const familyNames = pattern('i', [
  String.raw`\b(?:siti|nurul|nur|nor|noor|mohd|muhammad|mohamad|mohammed|abdul|ahmad|aisyah|fatimah|ismail|`,
  'hassan|ibrahim|kumar|raj|raju|muthu|tan|lim|lee|ng|wong|chan|ong|goh|chua|teo|teoh|koh|yap|low|',
  'lau|chong|cheng|chew|chin|cheah|chia|chai|chen|foo|fong|fung|gan|ho|hong|khoo|kok|kong|lai|',
  'leong|liew|loh|loo|mok|ooi|pang|phang|poh|quek|seow|sim|siew|soh|soo|tay|tee|teh|tang|thong|',
  'tiong|toh|voon|woo|yeo|yeoh|yee|yong|yew|zhang|wang|li|liu|huang|kang|hew|lum|mah|moo|nga|sia|',
  String.raw`sua|ting|wee)\b`,
])

/** Words before the name of a street or village, which then is not a city. */
export const streetPrefix = pattern('i', [
  String.raw`(?:^|\s)(?:jalan|jln|jl|lorong|lrg|lebuh|persiaran|lengkok|kampung|kg|taman|tmn|bandar|desa|`,
  String.raw`pekan|flat|sri|seri|bukit|batu|menara|wisma|plaza|kompleks|pasar|stesen|hospital|no)\.?$`,
])

/** Alternative names of cities in the postcode data. */
export const otherTownNames: Readonly<Record<string, readonly string[]>> = {
  'Pulau Pinang': ['George Town', 'Georgetown'],
  Melaka: ['Malacca'],
}

/** Maps common spellings to the spelling of the postcode data. */
export const officialTownNames: Readonly<Record<string, string>> = {
  Georgetown: 'George Town',
  Malacca: 'Melaka',
}

/** Abbreviations of cities next to a postcode. */
export const cityAbbreviations: Readonly<Record<string, string>> = {
  kl: 'Kuala Lumpur',
  pj: 'Petaling Jaya',
  jb: 'Johor Bahru',
  kk: 'Kota Kinabalu',
  kb: 'Kota Bharu',
  kt: 'Kuala Terengganu',
  bm: 'Bukit Mertajam',
  sp: 'Sungai Petani',
  bp: 'Batu Pahat',
  pg: 'George Town',
  penang: 'George Town',
}
