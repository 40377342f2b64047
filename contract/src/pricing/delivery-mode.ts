// The two letters of a delivery mode: where a parcel starts and where it ends, at a door (D) or a station (P).

/** Whether a rider picks the parcel up at the sender's door. False while no mode is chosen. */
export const isPickedUp = (mode: string | null | undefined): boolean => mode?.startsWith('D') ?? false
/** Whether the receiver collects the parcel at a station. False while no mode is chosen. */
export const endsAtStation = (mode: string | null | undefined): boolean => mode?.endsWith('P') ?? false
