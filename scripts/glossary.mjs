// The vocabulary of the texts: one word for one thing, in both languages. scripts/check-texts.mjs enforces it, and
// writes it into docs/glossary.md.

/**
 * Each term: its English word, its Chinese word, and the words that must not replace it. `en` are regular expressions
 * of whole words, `zh` are regular expressions. `except` names keys (or their prefixes) where a forbidden word means
 * something else; `unless` is a regular expression of the English text with the same effect.
 */
export const glossaryTerms = [
  // Shipping
  ['parcel', '包裹', { en: ['packages?', 'shipments?', 'consignments?(?! note)'], zh: ['包件', '邮包', '货件'] }],
  ['one parcel, two parcels', '件包裹', { zh: ['个包裹'] }],
  [
    'tracking number',
    '运单号',
    { en: ['waybill numbers?', 'airway bill', 'AWB'], zh: ['快递单号', '追踪号', '跟踪号'] },
  ],
  [
    'consignment note',
    '托运单',
    {
      en: ['waybills?', 'shipping labels?', 'delivery notes?'],
      zh: ['快递单(?!号)', '(?<!承运商|\\}\\})面单', '运单(?!号)(?<!托运单)'],
    },
  ],
  ['sender', '寄件人', { en: ['shippers?', 'consignors?'], zh: ['发货人', '寄货人'] }],
  [
    'receiver',
    '收件人',
    {
      en: ['recipients?', 'consignees?', 'addressees?'],
      zh: ['收货人'],
      except: ['customsDoc.', 'setupPage.trouble.'],
    },
  ],
  ['station', '网点', { en: ['depots?', 'branch(es)?', 'outlets?', 'hubs?'], zh: ['站点', '分行', '门店'] }],
  ['drop off', '交寄', { en: ['dropoffs?'], zh: ['投寄'] }],
  ['self-collection', '自取', { en: ['self collection'], zh: ['自提'], except: ['deliveryMode.', 'serviceCode.'] }],
  ['pickup', '上门取件', { en: ['pick-up', 'fetch(es|ed)?', 'collection request'], zh: ['揽件', '揽收'] }],
  [
    'rider',
    '派送员',
    {
      // A trip between stations has a driver.
      except: ['tripPage.', 'tripDoc.', 'fields.driverName'],
      en: ['drivers?', 'couriers? (comes|picks)', 'delivery man'],
      zh: ['骑手', '取件员', '快递员', '配送员'],
    },
  ],
  ['delivery', '派送', { zh: ['配送', '投递'] }],
  ['delivery mode', '寄送方式', { en: ['shipping modes?'], zh: ['运送方式', '投递方式'] }],
  ['address book', '地址簿', { en: ['contacts list', 'address list'], zh: ['通讯录', '地址本'] }],
  [
    'postcode',
    '邮编',
    { en: ['zip( code)?', 'postal code', 'post code'], zh: ['邮政编码', '邮区'], except: ['dossier.zip'] },
  ],
  ['state', '州属', { zh: ['省份'] }],
  ['our own network', '自营网络', { en: ['(?<!our )own network'], zh: ['自有网络'] }],
  // The `scopes` of API keys are permissions, as programmers call them.
  ['domestic or international', '国内或国际', { en: ['scope'], except: ['developers.', 'errors.forbidden_key'] }],
  ['carrier', '承运商', { en: ['forwarders?'], zh: ['承运人', '物流商'] }],
  // A gunny is packed by a sender, a bag by a station.
  ['gunny', '集包', { en: ['sacks?'], except: ['gunnyPage.'], zh: ['麻袋'] }],
  ['bag', '总包', { zh: ['大包', '邮袋'] }],
  ['trip', '车次', { en: ['line ?hauls?'], zh: ['航次'] }],
  ['recall', '召回', { en: ['call(ed)? back', 'calling back'], zh: ['拦截'] }],
  ['return', '退件', { en: ['send back'], zh: ['退货'], except: ['customsReason.returned_goods'] }],
  ['proof of delivery', '签收证明', { en: ['POD', 'delivery proof'], zh: ['签收凭据', '投妥'] }],
  ['delivery attempt', '派送尝试', { en: ['delivery tr(y|ies)'], zh: ['投递次数'] }],
  ['contents', '内件', { en: ['kinds? of contents?'], zh: ['寄托物'] }],
  ['customs declaration', '报关单', { en: ['customs papers'], zh: ['申报单'] }],
  ['track', '追踪', { zh: ['跟踪'] }],
  // Weights and prices
  ['actual weight', '实际重量', { en: ['scale weight', 'real weight'], zh: ['真实重量'] }],
  ['volumetric weight', '体积重', { en: ['dimensional weight', 'volume weight'], zh: ['体积重量', '材积'] }],
  ['chargeable weight', '计费重量', { en: ['billable weight', 'charged weight'], zh: ['收费重量'] }],
  [
    're-weigh',
    '复秤',
    { en: ['reweigh(ed|ing|s)?', 'weigh(ed)? again'], zh: ['复称', '复重'], except: ['mail.weight_corrected.'] },
  ],
  ['dispute a weight', '重量异议', { en: ['contest(s|ed|ing)?', 'objections?'], zh: ['争议(?!时)'] }],
  ['declared value', '申报价值', { en: ['stated value'], zh: ['声明价值'] }],
  ['insured value', '保价金额', { en: ['insurance value'], zh: ['投保金额'] }],
  ['rate card', '费率表', { en: ['price lists?', 'tariff card'], zh: ['价目表', '费率卡'] }],
  ['zone', '区域', { zh: ['计费区'] }],
  // Money
  ['wallet', '钱包', { en: ['purse'], zh: ['电子钱夹'] }],
  ['top up', '充值', { en: ['recharge[sd]?', 'reload(?= (the|your) wallet)'], zh: ['加值', '储值(?!余额)'] }],
  ['credits', '余额', { zh: ['积分', '点数'] }],
  ['PIN', '支付密码', { en: ['pass ?code', 'PIN code'], zh: ['PIN'] }],
  ['cart', '购物车', { en: ['baskets?', 'trolley'], zh: ['购物篮'] }],
  [
    'check out',
    '结账',
    {
      zh: ['结算'],
      unless: 'pa(y|id|ying) ?outs?',
      except: ['cod.', 'codDoc.', 'settingHelp.payoutWeekday', 'settingChoice.never'],
    },
  ],
  ['monthly billing', '月结', { en: ['monthly bills?', 'monthly invoice'], zh: ['月度账单'] }],
  ['statement', '对账单', { en: ['account bill'], zh: ['(?<!日)结单', '月结账单', '账单(?<!对账单)(?!地址|资料)'] }],
  ['refund', '退款', { en: ['give[ns]? back', 'pa(id|ys?) back', 'reimburse[sd]?'], zh: ['返款'] }],
  ['cash on delivery', '代收货款', { zh: ['货到付款', '到付(?!款)'] }],
  ['payout', '货款结算', { en: ['pay-outs?', 'disbursements?'] }],
  ['amount due', '待付款项', { en: ['amounts? outstanding', 'outstanding amounts?'], except: ['unpaid.'] }],
  [
    'pay in store',
    '到店付款',
    { en: ['pay at the counter'], unless: 'counter (when|,|slip)|, or here', zh: ['门店付款'] },
  ],
  ['credit note', '红字发票', { en: ['credit memo'], zh: ['贷记单'] }],
  // People and access
  ['sign in', '登录', { en: ['log ?ins?', 'log in', 'log(ged)? on', 'sign on'], zh: ['登陆', '登入'] }],
  ['sign out', '退出登录', { en: ['log ?outs?', 'log(ged)? off'], zh: ['登出', '注销'] }],
  [
    'email',
    '邮件',
    { en: ['e-mails?', 'mails?(?! server)', 'mailed', 'mailing'], zh: ['电邮', '电子邮件', '电子邮箱', '电子信箱'] },
  ],
  ['account', '账户', { zh: ['帐户', '账号', '帐号'] }],
  ['suspend', '停用', { zh: ['冻结', '暂停(?=账户|使用)'] }],
  ['block', '封锁', { en: ['blacklist(ed)?'], zh: ['黑名单', '拉黑'] }],
  ['owner', '所有者', { zh: ['拥有者', '业主'] }],
  ['approve', '批准', { en: ['authoris(e|ation)'], zh: ['核准'] }],
  ['artwork', '图稿', { zh: ['图案'] }],
  ['portal', '平台', { zh: ['门户', '本系统', '本网站'] }],
  ['company', '企业', { en: ['corporates?', 'firms?'] }],
  ['someone', '某人', { en: ['somebody', 'everybody', 'whoever'] }],
  [
    'home page',
    '首页',
    {
      en: ['dashboards?', 'start page', 'first page(?! of)'],
      zh: ['主页', '仪表板', '控制台'],
      except: ['list.first'],
    },
  ],
  ['setup', '初始设置', { en: ['set-up'] }],
  ['abandon a checkout', '放弃', { en: ['g[ia]ve(s|n)? up'] }],
]
