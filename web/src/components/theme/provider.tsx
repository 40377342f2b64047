import { type MantineColorSchemeManager, MantineProvider } from '@mantine/core'
import type { ReactNode } from 'react'
import { currentScheme, onScheme, setScheme } from '../../lib/browser/scheme.ts'
import { cssVariables, theme } from './theme.ts'

/** Connects Mantine to `lib/browser/scheme.ts`, which owns the colour scheme. */
function schemes(): MantineColorSchemeManager {
  let stop = () => {}
  return {
    get: currentScheme,
    set: setScheme,
    subscribe(onUpdate) {
      stop = onScheme(onUpdate)
    },
    unsubscribe: () => stop(),
    clear: () => setScheme('auto'),
  }
}

const manager = schemes()

/** Mantine with our theme. The colour scheme follows the system until the user chooses one. */
export function KitProvider({ children }: { children: ReactNode }) {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      colorSchemeManager={manager}
      defaultColorScheme="auto"
      withGlobalClasses={false}
      deduplicateCssVariables={false}
    >
      {children}
    </MantineProvider>
  )
}
