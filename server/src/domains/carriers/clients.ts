// The clients of the carriers.
import type { Carrier } from '@waybill/contract/ground/enums/enums'
import type { Deps } from '../../deps.ts'
import type { CarrierClient } from './carrier.ts'
import { dhlClient } from './dhl/client.ts'
import { createOwnNetworkClient } from './own-network.ts'
import { yundaClient } from './yunda/client.ts'

type Clients = Record<Carrier, CarrierClient | null>

const clientsByDeps = new WeakMap<Deps, Clients>()

function createClients(deps: Deps): Clients {
  const cached = clientsByDeps.get(deps)
  if (cached) return cached
  const { dhl, yunda } = deps.carriers
  const timeoutMs = deps.config.carrierTimeoutMs
  const clients: Clients = {
    own: createOwnNetworkClient(deps),
    dhl: dhl && dhlClient(dhl, timeoutMs, deps.clock),
    yunda: yunda && yundaClient(yunda, timeoutMs, deps.clock),
  }
  clientsByDeps.set(deps, clients)
  return clients
}

/** The client of a carrier; null if the deployment has no credentials for it. */
export function findClient(deps: Deps, carrier: Carrier): CarrierClient | null {
  return createClients(deps)[carrier]
}

/** Whether a carrier is the demo's simulation. */
export function isSimulatedCarrier({ carriers }: Deps, carrier: Carrier): boolean {
  return carrier !== 'own' && (carriers[carrier]?.simulated ?? false)
}
