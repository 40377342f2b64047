/**
 * The weights to show and the reason of the chargeable one, or null before any is known. A weight equal to the
 * chargeable one is null: it would be the same figure twice.
 */
export function explainWeight(actual: number, volumetric: number | null, priced?: number) {
  const heavier = Math.max(actual, volumetric ?? 0)
  if (heavier === 0) return null
  // Without the actual weight, the chargeable one is not known.
  const chargeable = actual > 0 ? (priced ?? heavier) : null
  const ifOther = (grams: number | null) => (grams !== chargeable && grams) || null
  return {
    actual: ifOther(actual),
    volumetric: ifOther(volumetric),
    chargeable,
    by: volumetric && (volumetric > actual ? ('size' as const) : ('weight' as const)),
    rounded: (chargeable ?? 0) > heavier,
  }
}
