/** The terms of carriage and the privacy notice of the demo's courier. Made up: a real courier writes its own. */
import type { LegalKind } from '@waybill/contract/legal/legal'

const termsEn = `## 1. What we carry
We carry parcels and documents that are not on the list of prohibited contents. You pack them so that they survive
ordinary handling: a drop from a table, and other parcels on top.

## 2. Price
You pay the price that you see before you pay. If a station weighs more than you declared, we show you the photo of
the scale and ask for the difference. You may dispute the weight within the time shown there.

## 3. Delivery
The day that we show is the day that we expect. After a failed attempt you choose what happens next. Without an
answer the parcel goes back to its sender.

## 4. Liability
We are liable up to the declared value, and up to RM 200.00 for a parcel without one. Insurance raises this limit.
Make a claim on the page of the parcel within 30 days of its delivery.

## 5. Cancelling
An order can be cancelled until we have the parcel. The money is refunded the way it was paid.

## 6. Law
The law of Malaysia applies. The courts of Shah Alam have jurisdiction.`

const termsZh = `## 1. 承运范围
我们承运不在禁寄物品清单上的包裹和文件。请妥善包装，使其能承受正常搬运：从桌面高度跌落，以及上方堆放其他包裹。

## 2. 价格
您支付的就是付款前看到的价格。如网点复秤重量超出申报重量，我们会出示秤面照片并请您补付差额。您可在所示期限内提出异议。

## 3. 派送
页面显示的日期为预计送达日。派送失败后，由您选择下一步；逾期未选择，包裹将退回寄件人。

## 4. 责任
我们以申报价值为限承担赔偿责任；未申报价值的包裹以 RM 200.00 为限。购买保险可提高此限额。请在送达后 30 天内于包裹页面提出索赔。

## 5. 取消
在我们收到包裹之前，订单可以取消，款项原路退回。

## 6. 适用法律
适用马来西亚法律，由莎阿南法院管辖。`

const privacyEn = `## What we keep
Your name, email address and phone number; the addresses of your senders and receivers; your parcels, orders and
payments. Card numbers never reach us: you enter them at the payment gateway.

## Why we keep it
To carry your parcels, to tell you and your receivers where they are, and to keep the accounts that the law requires.

## Who else sees it
Riders and stations on the way of a parcel, and the carrier abroad. We do not sell your data.

## How long
Parcels and orders for seven years, as tax law requires. Everything else until you delete your account. Signatures and
photos of a delivery are deleted with the account.

## Your rights
You can read, correct and export your data, and delete your account, in your profile. If you have a question,
contact us.`

const privacyZh = `## 我们保存什么
您的姓名、邮箱和电话；您的寄件与收件地址；您的包裹、订单和付款记录。银行卡号不会传到我们这里，您在支付网关输入。

## 用途
运送您的包裹，告知您和收件人包裹在哪里，并按法律要求保存账目。

## 谁能看到
包裹途经的派送员和网点，以及境外承运商。我们不出售您的数据。

## 保存多久
包裹和订单按税法保存七年；其他数据保存至您删除账户为止。签收签名和照片随账户一并删除。

## 您的权利
您可以在个人资料页查看、更正和导出数据，也可以删除账户。如有疑问，请联系我们。`

/** Paragraphs are wrapped in the source; this joins each into one line. */
const unwrap = (text: string) => text.replace(/(?<!^##[^\n]*)\n(?!\n|##)/gm, ' ')

export const legalTexts: Readonly<Record<LegalKind, { en: string; cn_zh: string }>> = {
  terms: { en: unwrap(termsEn), cn_zh: unwrap(termsZh) },
  privacy: { en: unwrap(privacyEn), cn_zh: unwrap(privacyZh) },
}
