// The comparison of a count with what was expected. Pure.

export type CountResult<R> = { moving: R[]; expected: R[]; missing: R[]; extra: R[]; refused: R[] }

/**
 * Compares the parcels of a gunny with the scanned ones. `fits` decides whether a parcel may move. `scanned` null: the
 * seal is intact, so everything is there.
 */
export function countGunny<R extends { id: string }>(
  members: readonly R[],
  scanned: readonly R[] | null,
  fits: (row: R) => boolean,
): CountResult<R> {
  const expected = members.filter(fits)
  const contents = scanned ?? expected
  const contentIds = new Set(contents.map(({ id }) => id))
  const memberIds = new Set(members.map(({ id }) => id))
  const moving = contents.filter(fits)
  return {
    moving,
    expected,
    missing: expected.filter(({ id }) => !contentIds.has(id)),
    extra: moving.filter(({ id }) => !memberIds.has(id)),
    refused: contents.filter((row) => !fits(row)),
  }
}
