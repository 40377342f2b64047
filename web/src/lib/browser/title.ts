import { useEffect } from 'react'
import { useDeployment } from '../settings/deployment.ts'

/** The server writes the app name into each page as its title. Only `useTitle` changes the title. */
const servedName = document.title

/** The app name of the deployment, also before the settings are loaded. */
export function useAppName(): string {
  return useDeployment()?.appName ?? servedName
}

/** Sets the document title: the page, then the app name of the deployment. */
export function useTitle(title: string): void {
  const appName = useAppName()
  useEffect(() => {
    document.title = title ? `${title} · ${appName}` : appName
  }, [title, appName])
}
