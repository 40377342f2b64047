// The rules for all texts that people read, in both languages: words, typography, idiom. scripts/check-texts.mjs
// applies them to the product's texts. Each rule has a counter-example that it must catch, and a text that it must
// allow.
import { glossaryTerms } from './glossary.mjs'

const han = '\\p{Script=Han}'
/** Text without the parts that are not language: placeholders, URLs, quoted code, times and ratios. */
const withoutCode = (text) =>
  text.replace(/“(?=[A-Za-z])[^”]*”/g, '“”').replace(/https?:\/\/\S+|\.(xlsx|csv|xls)\b|<[a-z]>|[\w.]+@[\w.]+/g, 'x')
const re = (source, flags = 'iu') => new RegExp(source, flags)
const compiled = glossaryTerms.map(([en, zh, { unless, except = [], ...not }]) => ({
  en,
  zh,
  except,
  unless: unless && re(unless),
  notEn: (not.en ?? []).map((source) => re(`(?<![\\w-])(${source})(?![\\w-])`)),
  notZh: (not.zh ?? []).map((source) => re(source)),
}))

/** Finds a word that the glossary forbids, and its replacement. */
function findForeignWord({ key, en, zh }) {
  for (const term of compiled) {
    if (term.except.some((start) => key.startsWith(start)) || term.unless?.test(en)) continue
    const english = term.notEn.map((pattern) => pattern.exec(en ?? '')?.[0]).find(Boolean)
    if (english) return `“${english}”: write “${term.en}”`
    const chinese = term.notZh.map((pattern) => pattern.exec(zh ?? '')?.[0]).find(Boolean)
    if (chinese) return `“${chinese}”: write “${term.zh}”`
  }
  return null
}

/** Phrases that only their authors understand, or that no carrier says to a customer. */
const idiom = [
  'nobody could take',
  'go(es)? on(?! (the|your|a)\\b)',
  'do we come to you',
  'is told',
  'are told',
  'be told',
  'has been told',
  'whoever',
  'comes into being',
  'stands? (still|there)',
  'at once(?= ?[.,:;]|$)',
  'nothing more will happen',
  'as things stand',
  'is to be',
  'shall',
  'present (password|PIN|code|state|one)',
  'run out(?! of)',
  'asked for',
  'on its own page',
  'take[ns]? back',
  'the way out',
  'of theirs',
  'beside the',
  'as it stands',
  'dealt with',
  'deal with',
  'take up again',
  'thrown? away',
  'all the same',
  'for good and all',
  'must be able',
  'say what it is',
  'try (once )?more often',
].map((source) => re(`(?<![\\w-])(${source})`))

/** Words of the courier's internal organisation that mean nothing to a customer. */
const internalEn = re(
  '\\b[A-Z]{3}-(WH|SC|PP|HUB)\\d*\\b|\\b(warehouses?|tiers?|deployment|ledger|station code|depot)\\b|' +
    '(?<!in )zone \\{\\{(from|to|code)',
  'u',
)
const internalZh = /仓库|一级服务|二级服务|总账|\{\{(from|to)\}\} ?区/u

/** Namespaces that only staff read. */
export const staffOnly = new Set(
  `scanPage pickupTasks deliveriesPage failedDelivery counterPage ratesPage zonesPage reweighPage disputesPage cashPage
  cashDoc companies trial book entries settingsPage settingSection settingGroup settingLabel settingHelp settingChoice
  holidaysPage capacityPage taskSteps gatewayPage gatewayTrouble gatewayRefusal gatewaySaid gatewayReview staffPrints
  gunnyMissing gunnyStation usersAdmin takeOver custody failedWork handInDoc teamPage stationsAdmin setupPage
  accountsPage accountPage viewBanner terms contentPage quotesPage sheets inbox logsPage staffCarriers financePage
  action stationType bagPage bagDoc tripPage tripDoc loadKind`.split(/\s+/),
)

/** Names that are the same in both languages. */
const names = re(`^[^\\p{Script=Han}]*$`, 'u')
const brands = 'SSL|SMTP|SSCC|Mailgun|Keycloak|Microsoft 365|Webhooks?|DHL|PDF|ZIP|Excel|CSV|API|ID|COD|CN22|CN23|ms'
const sameAllowed = re(`^(\\W|\\d|\\{\\{\\w+\\}\\}|${brands})*$`, '')

/** Words that keep their capital inside a sentence. */
const proper = new Set(
  `I PIN PINs PDFs COD WB Ctrl+P E-parcel URI Pick Up Delivery New ID IDs URL API PDF ZIP JPEG PNG WebP
  GIF MB HS GS1 SDR IMF CN22 CN23 A4 A6 ZPL DHL Yunda QR
  Excel CSV SMTP
  SPF DKIM TLS SSL UTC SSCC VAT MYR RM Malaysia Malay English Chinese Google Microsoft Authenticator Keycloak Mailgun
  Universal Postal Union Enter Esc Shift Ctrl Alt Escape Bearer Authorization Simulated Bank OpenStreetMap IP E KV SKU
  Parcels Pickups Approvals Scan STANDARD LP CN FROM TO PAID UNPAID REFUNDED REFUND DUE COPY GUNNY SENDER ADDRESSEE
  Sabah Sarawak Klang Valley United States European Monday Sunday Saturday Friday Nov December Staff Pay Arrange Portal
  PETALING Petaling Jaya Selangor Jalan Siti Nurhaliza SS2 XLSX RAW Ctrl+C Ctrl+V Ctrl+Z Alt+Enter Ctrl+Enter
  Web iPhone Latin`.split(/\s+/),
)

/** Finds a capital inside a short label: labels use sentence case. Quoted names of other labels may have one. */
function findTitleCase(text) {
  const plain = withoutCode(text)
    .replace(/“[^”]*”/g, 'x')
    .replace(/\{\{\w+\}\}/g, 'x')
  for (const sentence of plain.split(/(?<=[.!?:…x])\s+(?=[A-Z])|\n|\d\. | +[·–—|] +|\(|, e\.g\. |\bE\.g\. /)) {
    const words = sentence.split(/\s+/).slice(1)
    const word = words.find(
      (each) => /^[A-Z]/.test(each) && !proper.has(each.replace(/[^\w+]+$/, '').replace(/’s$|'s$/, '')),
    )
    if (word) return word
  }
  return null
}

/** The labels and messages of the specification (sections 2, 5, 8, 9), in its spelling. */
export const specified = {
  'actions.new': 'New',
  'actions.downloadExcel': 'Download Excel',
  'actions.view': 'View',
  'actions.edit': 'Edit',
  'actions.remove': 'Remove',
  'actions.block': 'Block',
  'actions.unblock': 'Unblock',
  'actions.coverageArea': 'Coverage Area',
  'actions.search': 'Search',
  'actions.clear': 'Clear',
  'actions.showFilters': 'Show Advanced Filters',
  'actions.hideFilters': 'Hide Advanced Filters',
  'actions.active': 'Active',
  'actions.suspend': 'Suspend',
  'validation.required': '%field% is required.',
  'errors.session_expired': 'Session expired',
  'auth.expired': 'Session expired',
  'notify.success': 'Success',
  'notify.warning': 'Warning',
  'notify.error': 'Error',
  'notify.info': 'Info',
  'deliveryMode.D2D': 'Pick Up - Delivery',
  'deliveryMode.D2P': 'Pick Up - Self Collection',
  'deliveryMode.P2D': 'Walk In - Delivery',
  'deliveryMode.P2P': 'Walk In - Self Collection',
  'paymentMethod.express_credit': 'Credit',
  'paymentMethod.ipay88': 'Online Banking / Credit Card',
  'paymentMethod.store': 'Pay In Store',
}

/** Errors and hints about a format: they show an example. */
const withExample = new Set(
  `validation.email validation.url validation.phone validation.time validation.postcodeUnknown errors.phone_invalid
  errors.postcode_unknown auth.phoneHelp bulk.note.phone bulk.note.postcode bulk.note.weight bulk.problem.phone_invalid
  bulk.problem.email_invalid bulk.problem.number_format trackPage.placeholder factor.recoveryHelp settingHelp.colour
  settingHelp.currency settingHelp.countryCode stationsAdmin.codeHelp`.split(/\s+/),
)

const numbers = 'count|number|amount|max|min|most|minutes|days|hours|seconds|rows|limit|size|percent|total|shown|done'
const nextToHan = [
  [`${han}[A-Za-z0-9]`, `[A-Za-z0-9%]${han}`].map((source) => re(source, 'u')),
  [`${han}\\{\\{(${numbers})\\}\\}`, `\\{\\{(${numbers})\\}\\}${han}`].map((source) => re(source, 'u')),
].flat()
const halfWidth = [
  `[${han}”）}][,;:!?]`,
  `[,;:!?]${han}`,
  `${han}\\s?\\(`,
  `\\)\\s?${han}`,
  `${han}\\.(\\s|$)`,
  `${han}\\.\\.\\.`,
].map((source) => re(source, 'u'))

const wrongDates = [
  /\{\{weekday\}\}.*\{\{(day|date)\}\}/u,
  /(星期|周)[一二三四五六日][，,]? ?\d/u,
  /\d{1,2}月\d{1,2}日?,? ?\d{4}/u,
  /\d{1,2}\/\d{1,2}\/\d{4}/u,
]

/** The finding of each rule in a text, or null. A text: `{ key, en, zh }`. */
export const textRules = {
  'one word for one thing (scripts/glossary.mjs)': findForeignWord,
  'full-width punctuation in Chinese': ({ zh }) => {
    if (!zh || !re(han, 'u').test(zh)) return null
    const text = withoutCode(zh).replaceAll('%field%', '中')
    const match =
      halfWidth.map((pattern) => pattern.exec(text)?.[0]).find(Boolean) ??
      /[「」『』]|\s[，。：；？！）]|[，。：；（] (?![·])/u.exec(text)?.[0]
    return match ? `“${match.trim()}”` : null
  },
  'a space between Han and Latin characters': ({ key, zh }) => {
    if (key === 'paste.placeholder') return null // An address as people write it.
    const text = withoutCode(zh ?? '')
      .replaceAll('%field%', '')
      .replace(/\d{4}年\d{1,2}月\d{1,2}日/gu, '日')
    const match = nextToHan.map((pattern) => pattern.exec(text)?.[0]).find(Boolean)
    return match ? `“${match}”` : null
  },
  'typographic apostrophes': ({ en }) => {
    const match = /\S*'\S*/.exec(en ?? '')?.[0]
    return match ? `“${match}”: write “’”` : null
  },
  'dates in the native order': ({ zh }) => {
    const match = wrongDates.map((pattern) => pattern.exec(zh ?? '')?.[0]).find(Boolean)
    return match ? `“${match}”: 2026年11月25日 星期三` : null
  },
  'nothing untranslated': ({ en, zh }) => {
    if (!zh || !en) return null
    if (zh === en && !sameAllowed.test(en)) return 'the Chinese text is a copy of the English one'
    if (names.test(zh) && !sameAllowed.test(zh) && /[A-Za-z]{3}/.test(zh.replace(/\{\{\w+\}\}/g, '')))
      return 'no Chinese in it'
    return en && re(han, 'u').test(en) ? 'Chinese in the English text' : null
  },
  'no internal names for customers': ({ key, en, zh }) => {
    if (staffOnly.has(key.split('.')[0])) return null
    const match = internalEn.exec(en ?? '')?.[0] ?? internalZh.exec(zh ?? '')?.[0]
    return match ? `“${match}”` : null
  },
  'no private idiom': ({ en }) => {
    const match = idiom.map((pattern) => pattern.exec(en ?? '')?.[0]).find(Boolean)
    return match ? `“${match}”` : null
  },
  'sentence case': ({ key, en }) => {
    if (!en || key in specified || key === 'paste.placeholder') return null
    const match = findTitleCase(en)
    return match ? `“${match}”: no capital` : null
  },
  'errors about a format show an example': ({ key, en, zh }) => {
    if (!withExample.has(key)) return null
    if (en && !/e\.g\./i.test(en)) return 'add “e.g. …” to the English text'
    return zh && !/例如/.test(zh) ? 'add “例如 …” to the Chinese text' : null
  },
  'labels of the specification stay as they are': ({ key, en }) =>
    specified[key] && en && en !== specified[key] ? `write “${specified[key]}”` : null,
}

const example = (key, en, zh) => ({ key, en, zh })
/** For each rule: texts that it must catch. */
export const counterExamples = {
  'one word for one thing (scripts/glossary.mjs)': [
    example('a.b', 'Your package is here.', '您的包裹到了。'),
    example('a.b', 'Enter your PIN', '请输入 PIN 码'),
    example('a.b', 'Open the dashboard', '打开首页'),
    example('a.b', 'Pay the monthly bill', '支付月结对账单'),
    example('a.b', 'The recipient was not there', '收件人不在'),
    example('a.b', 'Bring it to a depot', '送到网点'),
    example('a.b', 'Recharge the wallet', '钱包充值'),
    example('a.b', 'The rider comes', '骑手上门'),
  ],
  'full-width punctuation in Chinese': [
    example('a.b', 'Paid, thank you', '已付款,谢谢'),
    example('a.b', 'Name (optional)', '名称 (选填)'),
    example('a.b', 'Remove “x”?', '移除「x」？'),
    example('a.b', 'Done.', '已完成.'),
  ],
  'a space between Han and Latin characters': [
    example('a.b', 'Open PDF', '打开PDF'),
    example('a.b', 'Up to 30 numbers', '最多30个'),
    example('a.b', '{{count}} days', '{{count}}天'),
  ],
  'typographic apostrophes': [example('a.b', "The sender's address", '寄件人地址')],
  'dates in the native order': [
    example('a.b', 'Expected {{weekday}}, {{day}}', '预计 {{weekday}}，{{day}}'),
    example('a.b', 'Wednesday, 25 Nov 2026', '星期三, 2026年11月25日'),
  ],
  'nothing untranslated': [
    example('a.b', 'Save as draft', 'Save as draft'),
    example('a.b', 'Save', 'Save it'),
    example('a.b', '保存', '保存'),
  ],
  'no internal names for customers': [
    example('parcelPage.a', 'It is at KUL-WH1', '在网点'),
    example('parcelPage.a', 'From zone {{from}}', '从 {{from}} 出发'),
    example('stations.a', 'Service centre, tier 1', '服务中心'),
    example('stations.a', 'Main station', '仓库'),
  ],
  'no private idiom': [
    example('a.b', 'Nobody could take the parcel.', '派送未成功。'),
    example('a.b', 'Go on', '继续'),
    example('a.b', 'Do we come to you?', '查询服务范围'),
    example('a.b', 'The sender is told.', '已通知寄件人。'),
    example('a.b', 'When shall the rider come?', '派送员何时上门？'),
  ],
  'sentence case': [example('a.b', 'Save As Draft', '存为草稿')],
  'errors about a format show an example': [
    example('validation.phone', '%field% is not valid.', '%field%无效。'),
    example('validation.time', 'Enter a time, e.g. 16:00.', '请输入时间。'),
  ],
  'labels of the specification stay as they are': [example('actions.coverageArea', 'Coverage area', '服务范围')],
}

/** Texts that no rule may report. */
export const rightTexts = [
  example('a.b', 'Print {{count}} consignment notes', '打印 {{count}} 张托运单'),
  example('a.b', 'Expected {{date}}', '预计 2026年11月25日 星期三 送达'),
  example('a.b', 'Check the digits, e.g. 012-345 6789.', '请核对数字，例如 012-345 6789。'),
  example('a.b', 'Saved. Print with Ctrl+P (A4).', '已保存。按 Ctrl+P 打印（A4）。'),
  example('paymentMethod.ipay88', 'Online Banking / Credit Card', '网上银行／信用卡'),
]
