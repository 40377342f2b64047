// Recognises the columns of a spreadsheet by their headers: ours in either language, or those of other systems.
import { type BulkField, bulkFields, bulkItems, neededBulkFields } from '@waybill/contract/parcels/bulk'
import type { Deps } from '../../../deps.ts'
import { headerNames } from '../../../lib/sheet/table.ts'
import { findPostcode } from './cells-place.ts'

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

/** Headers besides the template's own, normalised by `plainHeader`. */
const aliases: Record<BulkField, readonly string[]> = {
  reference: [
    'reference',
    'ref',
    'refno',
    'yourreference',
    'orderno',
    'orderid',
    'ordernumber',
    ...['nopesanan', 'norujukan', 'rujukan', 'noinvois', 'invoiceno', '单号', '订单编号', '客户单号', '参考编号'],
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
    ...['fullname', 'customer', 'customername', 'deliverto', 'shipto', 'attention', 'attn'],
    ...['nama', 'namapenerima', 'penerima', 'namapelanggan', 'pelanggan', 'namapenuh', 'kepada'],
    ...['收件人', '收货人', '姓名', '收件人姓名', '收货人姓名', '客户', '客户姓名', '客户名称', '收件人名字', '名字'],
  ],
  company: [
    'company',
    'companyname',
    'receivercompany',
    'organisation',
    'organization',
    ...['syarikat', 'namasyarikat', 'organisasi'],
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
      ...['telefon', 'notelefon', 'nomortelefon', 'nombortelefon', 'telefonpenerima', 'notelefonpenerima', 'notel'],
      ...['telno', 'nohp', 'nohandphone', 'nofon', 'telbimbit', 'telefonbimbit', 'notelefonbimbit'],
      ...['电话号码', '联系方式', '收货人电话', '收件人手机', '收货电话', '手提电话', '手提号码'],
      '电话',
      '手机',
      '联系电话',
      '手机号',
      '收件人电话',
      '收件电话',
      '手机号码',
    ],
  ],
  email: [
    'email',
    'emailaddress',
    'receiveremail',
    'mail',
    'emel',
    'alamatemel',
    'e-mel',
    '邮箱',
    '电子邮箱',
    '电子邮件',
  ],
  line1: [
    ...[
      'addressline1',
      'address1',
      'address',
      'line1',
      'street',
      'receiveraddress',
      'deliveryaddress',
      ...['alamat', 'alamat1', 'alamatpenerima', 'alamatpenghantaran', 'alamatpenuh', 'alamatbaris1', 'jalan'],
      ...['fulladdress', 'addr', 'addr1', 'shipaddress', '收件人地址', '收货人地址', '送货地址', '街道'],
      'shippingaddress',
    ],
    ...['地址', '详细地址', '地址1', '收件地址', '收货地址', '地址第一行', '地址行1'],
  ],
  line2: ['addressline2', 'address2', 'line2', 'addr2', 'alamat2', 'alamatbaris2', '地址2', '地址第二行', '地址行2'],
  postcode: [
    'postcode',
    'postalcode',
    'zip',
    'zipcode',
    'pcode',
    'poskod',
    'kodpos',
    '邮区编号',
    '邮政区号',
    '邮编',
    '邮政编码',
  ],
  city: ['city', 'town', 'bandar', 'pekan', 'daerah', '县市', '市镇', '城市', '市'],
  state: ['state', 'province', 'region', 'negeri', '州别', '州属地区', '州', '州属', '省'],
  country: ['country', 'countrycode', 'negara', '国家', '国家地区'],
  serviceType: ['service', 'servicetype', 'servicename', 'perkhidmatan', 'jenisperkhidmatan', '服务', '服务类型'],
  deliveryMode: ['deliverymode', 'mode', 'delivery', 'carapenghantaran', '送货方式', '派送方式', '寄送方式', '方式'],
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
    'jeniskandungan',
    'jenisbarang',
    'kategori',
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
    ...['kandungan', 'keterangan', 'barang', 'barangan', 'produk', 'isikandungan', 'butiran'],
    ...['商品', '商品名称', '货品', '货物', '货物名称', '产品', '产品名称', '内件品名', '内件', '物品名称'],
    '物品描述',
    '品名',
    '内容',
    '物品',
  ],
  weight: [
    'weight',
    'weightkg',
    'kg',
    'grossweight',
    'wt',
    'berat',
    'beratkg',
    'jumlahberat',
    '包裹重量',
    '重量公斤',
    '重量',
    '毛重',
  ],
  length: ['length', 'l', 'panjang', '长', '长度'],
  width: ['width', 'w', 'lebar', '阔', '阔度', '宽度cm', '宽', '宽度'],
  height: ['height', 'h', 'tinggi', '高', '高度'],
  declaredValue: [
    'declaredvalue',
    'value',
    'goodsvalue',
    'price',
    'amount',
    'nilai',
    'nilaibarang',
    'harga',
    'nilaidiisytihar',
    '价值',
    '货值',
    '商品价值',
    '物品价值',
    '金额',
    '申报价值',
    '申报金额',
    '声明价值',
  ],
  insuredValue: [
    'insuredvalue',
    'insurance',
    'insuredamount',
    'insurans',
    'nilaiinsurans',
    '保价',
    '保价金额',
    '投保金额',
    '保险金额',
  ],
  codAmount: [
    'codamount',
    'cod',
    'cashondelivery',
    'collect',
    'bayaranserahan',
    'kutipan',
    'jumlahcod',
    '代收',
    '到付金额',
    '代收货款',
    '货到付款',
    '货到付款金额',
    '代收金额',
  ],
  scope: ['scope', 'domesticorinternational', '范围', '国内国际'],
  senderLabel: ['sender', 'senderlabel', 'from', 'shipfrom', 'pengirim', '寄件人', '寄件地址', '寄件人标签'],
  customsReason: ['reasonforexport', 'exportreason', 'customsreason', '出口原因', '寄送原因'],
  ...itemAliases,
  remarks: ['remarks', 'remark', 'note', 'notes', 'instructions', 'catatan', 'nota', 'arahan', '留言', '备注', '说明'],
}

/** The fields by their normalised headers, including those of the locale files. */
export function bulkHeaders(deps: Deps): ReadonlyMap<string, BulkField> {
  return headerNames(
    bulkFields,
    (field) => (['en', 'cn_zh'] as const).map((locale) => deps.translations(locale)(`bulk.column.${field}`)),
    (field) => aliases[field],
  )
}

export type Mapping = (BulkField | null)[]

const addressFields: readonly BulkField[] = ['line1', 'line2', 'city', 'state']

/**
 * The required columns that are missing. A postcode column is not required if the first cells of an address column
 * (`samples`, by column) contain the postcode.
 */
export function missingColumns(mapping: Mapping, samples: readonly (readonly string[])[]): BulkField[] {
  const isInAddress = mapping.some(
    (field, n) => field !== null && addressFields.includes(field) && samples[n]?.some((cell) => findPostcode([cell])),
  )
  return neededBulkFields.filter((field) => !mapping.includes(field) && !(field === 'postcode' && isInAddress))
}
