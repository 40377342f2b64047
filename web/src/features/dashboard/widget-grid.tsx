import type { Widget } from '@waybill/contract/dashboard/widgets'
import { Note } from '../../components/layout/text.tsx'
import { useT } from '../../lib/i18n.ts'
import { BannerWidget } from './banner-widget.tsx'
import { OnTimeWidget, PerDayWidget, SpendByMonthWidget } from './chart-widgets.tsx'
import classes from './dashboard.module.css'
import { OutstandingWidget, SpendByUserWidget, WalletWidget } from './money-widgets.tsx'
import { DestinationsWidget, FailedDeliveriesWidget, StatusWidget } from './parcel-widgets.tsx'

function WidgetContent({ widget }: { widget: Widget }) {
  switch (widget.kind) {
    case 'parcels_per_day':
      return <PerDayWidget data={widget.data} />
    case 'parcels_by_status':
      return <StatusWidget data={widget.data} />
    case 'failed_deliveries':
      return <FailedDeliveriesWidget data={widget.data} />
    case 'on_time':
      return <OnTimeWidget data={widget.data} />
    case 'top_destinations':
      return <DestinationsWidget data={widget.data} />
    case 'wallet':
      return <WalletWidget data={widget.data} />
    case 'outstanding':
      return <OutstandingWidget data={widget.data} />
    case 'spend_by_month':
      return <SpendByMonthWidget data={widget.data} />
    case 'spend_by_user':
      return <SpendByUserWidget data={widget.data} />
    case 'banner':
      return <BannerWidget data={widget.data} />
  }
}

/** The widgets in their order: three columns on a wide screen, one on a phone. */
export function WidgetGrid({ widgets }: { widgets: readonly Widget[] }) {
  const t = useT()
  if (widgets.length === 0) return <Note>{t('dashboardPage.noWidgets')}</Note>
  return (
    <ul className={classes.widgets} data-widgets>
      {widgets.map((widget) => (
        <li key={widget.id} data-size={widget.size} data-kind={widget.kind}>
          <WidgetContent widget={widget} />
        </li>
      ))}
    </ul>
  )
}
