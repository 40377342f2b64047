/** The input of a price, and the code of the selected service. */
export type TypedPrice = {
  from: string
  to?: string | null | undefined
  country?: string | undefined
  grams?: number | undefined
  service?: string
}

/** The path of the new parcel page, filled with the input of a price. */
export function newParcelPath({ from, to, country, grams, service }: TypedPrice): string {
  const params = new URLSearchParams({
    from,
    ...(to ? { to } : {}),
    ...(country ? { country } : {}),
    ...(grams ? { grams: String(grams) } : {}),
    ...(service ? { service } : {}),
  })
  return `/parcels/new?${params}`
}

/** The path of a page that a visitor must pass before the new parcel. */
export const viaSignIn = (page: '/login' | '/register', parcelPath: string) =>
  `${page}?${new URLSearchParams({ next: parcelPath })}`
