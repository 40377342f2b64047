// Rules of public tracking. Pure.

/** The facts that only the receiver of a parcel knows: postcode and last four phone digits, as one normalised text. */
export function receiverKey({ postcode, phone }: { postcode: string; phone: string }): string {
  const plain = postcode.normalize('NFKC').replace(/[\s-]/g, '').toUpperCase()
  return `${plain} ${phone.replace(/\D/g, '').slice(-4)}`
}
