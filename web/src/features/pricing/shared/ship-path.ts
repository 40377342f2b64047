import type { ServiceQuote } from '@waybill/contract/pricing/pricing'

/** What was typed for a price, which the new parcel begins with. */
export type TypedForPrice = {
  from?: string | undefined
  to?: string | null | undefined
  country?: string | undefined
  grams?: number | undefined
}

/** The new parcel with what was typed and the chosen service; for a visitor by way of the registration. */
export function shipPath({ code }: Pick<ServiceQuote, 'code'>, typed: TypedForPrice, signedIn: boolean): string {
  const values = Object.entries(typed).flatMap(([name, value]) => (value ? [[name, String(value)]] : []))
  const parcel = `/parcels/new?${new URLSearchParams([...values, ['service', code]])}`
  return signedIn ? parcel : `/register?${new URLSearchParams({ next: parcel })}`
}
