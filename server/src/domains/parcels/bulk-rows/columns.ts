// Recognises the columns of a spreadsheet by their headers: ours in either language, or those of other systems.
import { type BulkField, bulkFields, bulkItems, neededBulkFields } from '@waybill/contract/parcels/bulk'
import type { Deps } from '../../../deps.ts'
import { headerNames } from '../../../lib/sheet/table.ts'

/** Headers of customs items in other systems. The template numbers them: item 1 to 3. */
const itemNames: Record<string, readonly string[]> = {
  Description: ['customsdescription', 'itemdescription'],
  HsCode: ['hscode', 'tariffcode', 'tariffnumber', 'hs', '海关编码', '商品编码'],
  Quantity: ['quantity', 'qty', 'pieces', '数量', '件数'],
  UnitValue: ['unitvalue', 'unitprice', 'itemvalue', '单价'],
  Origin: ['countryoforigin', 'origincountry', 'origin', '原产国', '原产地'],
  Weight: ['netweight', 'itemweight', '净重'],
}
type ItemField = Extract<BulkField, `item${number}${string}`>
const itemAliases = Object.fromEntries(
  bulkItems.flatMap((item) =>
    Object.entries(itemNames).map(([part, names]) => [
      `item${item}${part}`,
      [
        ...names.map((name) => `${name}${item}`),
        ...(item === 1 ? names.filter((name) => name !== 'itemdescription') : []),
      ],
    ]),
  ),
) as unknown as Record<ItemField, readonly string[]>

/** Headers beside the template's own, as `plainHeader` writes them. */
const aliases: Record<BulkField, readonly string[]> = {
  reference: [
    'reference',
    'ref',
    'refno',
    'yourreference',
    'orderno',
    'orderid',
    'ordernumber',
    '订单号',
    '参考号',
    '备查编号',
  ],
  receiverName: [
    ...[
      'receivername',
      'receiver',
      'recipient',
      'recipientname',
      'consignee',
      'consigneename',
      'name',
      'contactname',
      'to',
      'toname',
    ],
    ...['fullname', 'customer', 'customername', 'namapenerima', '收件人', '收货人', '姓名', '收件人姓名', '收货人姓名'],
  ],
  company: [
    'company',
    'companyname',
    'receivercompany',
    'organisation',
    'organization',
    '公司',
    '公司名称',
    '收件公司',
  ],
  phone: [
    ...[
      'phone',
      'phoneno',
      'phonenumber',
      'receiverphone',
      'recipientphone',
      'tel',
      'telephone',
      'mobile',
      'mobileno',
      'contactno',
      'hp',
    ],
    ...[
      'handphone',
      'contactnumber',
      'contact',
      'telefon',
      '电话',
      '手机',
      '联系电话',
      '手机号',
      '收件人电话',
      '收件电话',
      '手机号码',
    ],
  ],
  email: ['email', 'emailaddress', 'receiveremail', 'mail', '邮箱', '电子邮箱', '电子邮件'],
  line1: [
    ...[
      'addressline1',
      'address1',
      'address',
      'line1',
      'street',
      'receiveraddress',
      'deliveryaddress',
      'alamat',
      'shippingaddress',
    ],
    ...['地址', '详细地址', '地址1', '收件地址', '收货地址', '地址第一行', '地址行1'],
  ],
  line2: ['addressline2', 'address2', 'line2', '地址2', '地址第二行', '地址行2'],
  postcode: ['postcode', 'postalcode', 'zip', 'zipcode', 'poskod', '邮编', '邮政编码'],
  city: ['city', 'town', 'bandar', '城市', '市'],
  state: ['state', 'province', 'region', 'negeri', '州', '州属', '省'],
  country: ['country', 'countrycode', 'negara', '国家', '国家地区'],
  serviceType: ['service', 'servicetype', 'servicename', '服务', '服务类型'],
  deliveryMode: ['deliverymode', 'mode', 'delivery', '派送方式', '寄送方式', '方式'],
  collectionStation: [
    'collectionstation',
    'selfcollectionstation',
    'station',
    'stationcode',
    'collectionpoint',
    '自取网点',
    '网点',
    '网点代码',
  ],
  contentType: [
    'contenttype',
    'contents',
    'category',
    'kindofcontents',
    'itemtype',
    '物品类型',
    '内容类型',
    '物品类别',
  ],
  contentDescription: [
    'description',
    'contentdescription',
    'item',
    'goods',
    'itemdescription',
    'content',
    'product',
    '物品描述',
    '品名',
    '内容',
    '物品',
  ],
  weight: ['weight', 'weightkg', 'kg', 'grossweight', 'berat', '重量', '毛重'],
  length: ['length', 'l', '长', '长度'],
  width: ['width', 'w', '宽', '宽度'],
  height: ['height', 'h', '高', '高度'],
  declaredValue: ['declaredvalue', 'value', 'goodsvalue', '申报价值', '申报金额', '声明价值'],
  insuredValue: ['insuredvalue', 'insurance', 'insuredamount', '保价', '保价金额', '投保金额', '保险金额'],
  codAmount: ['codamount', 'cod', 'cashondelivery', 'collect', '代收货款', '货到付款', '货到付款金额', '代收金额'],
  scope: ['scope', 'domesticorinternational', '范围', '国内国际'],
  senderLabel: ['sender', 'senderlabel', 'from', 'shipfrom', 'pengirim', '寄件人', '寄件地址', '寄件人标签'],
  customsReason: ['reasonforexport', 'exportreason', 'customsreason', '出口原因', '寄送原因'],
  ...itemAliases,
  remarks: ['remarks', 'remark', 'note', 'notes', 'instructions', 'catatan', '备注', '说明'],
}

/** The fields by their plain headers, those of the locale files included. */
export function bulkHeaders(deps: Deps): ReadonlyMap<string, BulkField> {
  return headerNames(
    bulkFields,
    (field) => (['en', 'cn_zh'] as const).map((locale) => deps.translations(locale)(`bulk.column.${field}`)),
    (field) => aliases[field],
  )
}

export type Mapping = (BulkField | null)[]

/** The required columns that are missing. */
export function missingColumns(mapping: Mapping): BulkField[] {
  return neededBulkFields.filter((field) => !mapping.includes(field))
}
