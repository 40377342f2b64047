import { useEffect } from 'react'
import { useDeployment } from '../settings/deployment.ts'

/** Names the browser's tab: the page, then the deployment's app name. */
export function useTitle(title: string): void {
  const appName = useDeployment()?.appName ?? 'Waybill'
  useEffect(() => {
    document.title = title === '' || title === appName ? appName : `${title} · ${appName}`
  }, [title, appName])
}
