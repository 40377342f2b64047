import { useEffect, useState } from 'react'
import { runtimeSettings } from './settings/runtime-settings.ts'

/**
 * The URL of an attachment. The server returns a path if the portal serves files itself; the deployment may put a file
 * host in front of it.
 */
export function useFileAddress(): (link: string) => string {
  const [host, setHost] = useState('')
  useEffect(() => {
    void runtimeSettings().then(({ fileHost }) => setHost(fileHost))
  }, [])
  return (link) => (link.startsWith('/') ? host + link : link)
}
