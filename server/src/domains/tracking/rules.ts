// Rules of public tracking. Pure.

/** What a receiver must know of a parcel: postcode and last four phone digits, as one text in a plain spelling. */
export function receiverKey({ postcode, phone }: { postcode: string; phone: string }): string {
  const plain = postcode.normalize('NFKC').replace(/[\s-]/g, '').toUpperCase()
  return `${plain} ${phone.replace(/\D/g, '').slice(-4)}`
}
