import type { Carrier } from '@waybill/contract/ground/enums'
import type { Deps } from '../../deps.ts'
import type { CarrierClient } from './carrier.ts'
import { dhlClient } from './dhl/client.ts'
import { createOwnNetworkClient } from './own-network.ts'
import { yundaClient } from './yunda/client.ts'

type Clients = Record<Carrier, CarrierClient | null>

const made = new WeakMap<Deps, Clients>()

/** The carriers by name, each behind the same face. Null: closed. */
function clientsOf(deps: Deps): Clients {
  const known = made.get(deps)
  if (known) return known
  const { dhl, yunda } = deps.carriers
  const timeoutMs = deps.config.carrierTimeoutMs
  const clients: Clients = {
    own: createOwnNetworkClient(deps),
    dhl: dhl && dhlClient(dhl, timeoutMs, deps.clock),
    yunda: yunda && yundaClient(yunda, timeoutMs, deps.clock),
  }
  made.set(deps, clients)
  return clients
}

export function findClient(deps: Deps, carrier: Carrier): CarrierClient | null {
  return clientsOf(deps)[carrier]
}

export function isSimulatedCarrier({ carriers }: Deps, carrier: Carrier): boolean {
  return carrier !== 'own' && (carriers[carrier]?.simulated ?? false)
}
