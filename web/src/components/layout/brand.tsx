import { useAppName } from '../../lib/browser/title.ts'
import { useDeployment } from '../../lib/settings/deployment.ts'
import classes from './brand.module.css'

/** The deployment's logo and name; the product's mark while the settings load or when there is no logo. */
export function Brand({ compact = false }: { compact?: boolean }) {
  const logo = useDeployment()?.companyLogo
  const name = useAppName()
  return (
    <span className={classes.root}>
      {logo ? (
        <img src={logo} alt="" height={28} className={classes.logo} />
      ) : (
        <svg viewBox="0 0 32 32" width={28} height={28} aria-hidden="true">
          <rect width="32" height="32" rx="6" fill="var(--wb-brand)" />
          <path
            d="M7 10l4 12 5-9 5 9 4-12"
            fill="none"
            stroke="var(--wb-on-brand)"
            strokeWidth="3"
            strokeLinecap="round"
            strokeLinejoin="round"
          />
        </svg>
      )}
      <span className={compact ? 'wb-hidden' : classes.name}>{name}</span>
    </span>
  )
}
