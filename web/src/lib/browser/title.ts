import { useEffect } from 'react'
import { useDeployment } from '../settings/deployment.ts'

/** Sets the document title: the page, then the app name of the deployment. */
export function useTitle(title: string): void {
  const appName = useDeployment()?.appName ?? 'Waybill'
  useEffect(() => {
    document.title = title === '' || title === appName ? appName : `${title} · ${appName}`
  }, [title, appName])
}
