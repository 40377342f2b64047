/** What was typed for a price, and the code of the chosen service. */
export type TypedPrice = {
  from: string
  to?: string | null | undefined
  country?: string | undefined
  grams?: number | undefined
  service: string
}

/** The path of the new parcel, which begins with what was typed for a price. */
export function newParcelPath({ from, to, country, grams, service }: TypedPrice): string {
  const params = new URLSearchParams({
    from,
    ...(to ? { to } : {}),
    ...(country ? { country } : {}),
    ...(grams ? { grams: String(grams) } : {}),
    service,
  })
  return `/parcels/new?${params}`
}

/** A page that a visitor has to pass before the new parcel. */
export const viaSignIn = (page: '/login' | '/register', parcelPath: string) =>
  `${page}?${new URLSearchParams({ next: parcelPath })}`
