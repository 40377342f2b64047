/** The columns of a spreadsheet of addresses, by headers in English, Malay and Chinese. */
import { type AddressColumn, addressColumns, neededAddressColumns } from '@waybill/contract/addresses/import'
import type { Deps } from '../../../deps.ts'
import { headerNames } from '../../../lib/sheet/table.ts'

const splitNames = (text: string) => text.split(' ')

/** Headers besides the template's own, normalised by `plainHeader`. */
const aliases: Readonly<Record<AddressColumn, readonly string[]>> = {
  contactName: splitNames(
    'name contactname contactperson fullname receiver receivername recipient recipientname consignee customer ' +
      'customername attention attn person nama namapenuh namapenerima namapelanggan penerima 姓名 名字 联系人 ' +
      '联系人姓名 收件人 收货人 收件人姓名 收货人姓名 客户姓名',
  ),
  company: splitNames(
    'company companyname organisation organization business syarikat namasyarikat 公司 公司名称 单位 收件公司',
  ),
  phone: splitNames(
    'phone phoneno phonenumber tel telno telephone mobile mobileno mobilephone contactno contactnumber hp hpno ' +
      'handphone handphoneno whatsapp telefon notelefon notel nohp nombortelefon telefonbimbit 电话 手机 手机号 ' +
      '手机号码 电话号码 联系电话 收件人电话',
  ),
  email: splitNames('email emailaddress mail emel alamatemel 邮箱 电子邮箱 电子邮件 电邮'),
  line1: splitNames(
    'address address1 addressline1 line1 street streetaddress deliveryaddress shippingaddress postaladdress alamat ' +
      'alamat1 alamatpenghantaran 地址 地址1 地址第一行 地址行1 详细地址 收件地址 收货地址 街道',
  ),
  line2: splitNames('address2 addressline2 line2 alamat2 地址2 地址第二行 地址行2 补充地址'),
  postcode: splitNames('postcode postalcode zip zipcode poskod 邮编 邮政编码 邮递区号'),
  city: splitNames('city town cityortown bandar pekan daerah 城市 市 市镇'),
  state: splitNames('state province region negeri 州 州属 省 省份'),
  country: splitNames('country countrycode negara 国家 国家地区'),
  label: splitNames('label nickname alias shortname tag nametag tanda labelalamat 标签 备用名 别名'),
  kind: splitNames('kind type usedas role addresstype jenis jenisalamat 类型 用途 地址类型'),
  remarks: splitNames('remarks remark note notes comment comments instructions catatan nota ulasan 备注 说明 留言'),
}

/** The columns by their normalised headers, including those of the template in both languages. */
export function addressHeaders(deps: Deps): ReadonlyMap<string, AddressColumn> {
  return headerNames(
    addressColumns,
    (column) => (['en', 'cn_zh'] as const).map((locale) => deps.translations(locale)(`fields.${column}`)),
    (column) => aliases[column],
  )
}

export type AddressMapping = (AddressColumn | null)[]

/** The required columns that are missing. */
export function missingAddressColumns(mapping: AddressMapping): AddressColumn[] {
  return neededAddressColumns.filter((column) => !mapping.includes(column))
}
