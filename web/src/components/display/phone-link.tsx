import { useEffect, useState } from 'react'

let format: ((phone: string) => string) | undefined

const loadFormat = async () => {
  const { parsePhoneNumberFromString } = await import('libphonenumber-js/min')
  format = (phone) => parsePhoneNumberFromString(phone)?.formatInternational() ?? phone
}

/** Groups the digits of phone numbers as in their country, once the numbering plans have loaded. */
export function usePhoneFormat(): (phone: string) => string {
  const [isLoaded, setIsLoaded] = useState(format !== undefined)
  useEffect(() => {
    if (!isLoaded) void loadFormat().then(() => setIsLoaded(true))
  }, [isLoaded])
  return format ?? ((phone) => phone)
}

/** A phone number that can be called. */
export function PhoneLink({ phone }: { phone: string }) {
  const formatPhone = usePhoneFormat()
  return (
    <a style={{ whiteSpace: 'nowrap' }} href={`tel:${phone}`}>
      {formatPhone(phone)}
    </a>
  )
}
