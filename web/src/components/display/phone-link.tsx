import { useEffect, useState } from 'react'

let format: ((phone: string) => string) | undefined

const loadFormat = async () => {
  const { parsePhoneNumberFromString } = await import('libphonenumber-js/min')
  format = (phone) => parsePhoneNumberFromString(phone)?.formatInternational() ?? phone
}

/** A phone number that can be called. It is formatted as in its country once the numbering plans have loaded. */
export function PhoneLink({ phone }: { phone: string }) {
  const [isLoaded, setIsLoaded] = useState(format !== undefined)
  useEffect(() => {
    if (!isLoaded) void loadFormat().then(() => setIsLoaded(true))
  }, [isLoaded])
  return (
    <a style={{ whiteSpace: 'nowrap' }} href={`tel:${phone}`}>
      {format?.(phone) ?? phone}
    </a>
  )
}
