/** The number on a badge, which has room for three characters. Also part of the accessible name of what it is on. */
export const badgeText = (count: number) => (count > 99 ? '99+' : String(count))
