type Place = { postcode?: string | null; city?: string | null; state?: string | null }

/** `50480 Kuala Lumpur`, `81300 Johor Bahru, Johor`: a state that is called as its city is not said twice. */
export function formatPlace({ postcode, city, state }: Place): string {
  const town = [postcode, city].filter(Boolean).join(' ')
  return [town, state === city ? '' : state].filter(Boolean).join(', ')
}
