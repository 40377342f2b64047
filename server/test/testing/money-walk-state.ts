import assert from 'node:assert/strict'
import type { Deps } from '../../src/deps.ts'
import { coveringStation } from '../../src/domains/stations/network.ts'
import { getWalletBalance } from '../../src/domains/wallet/ledger/service.ts'
import { asAccountId, type CustomerCaller, type StaffCaller } from '../../src/http/caller.ts'
import { AppError } from '../../src/http/errors.ts'
import { newId } from '../../src/lib/ids.ts'
import type { ModelOrder, ModelParcel, ModelPayment, Task } from './money-walk-model.ts'
import { addWalkers, sender } from './money-walk-people.ts'
import { proveMoneyAndState, proveOrders } from './money-walk-proof.ts'

export const pin = '274916'

/** Random numbers from a seed, so that a walk can be repeated. */
function random(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** The state of the money walk: its model, its people, and the comparison with the database. */
export class WalkState {
  protected readonly deps: Deps
  protected readonly pick: (below: number) => number
  protected readonly seed: number
  protected readonly accountId = asAccountId(newId()) // a customer only for this walk
  protected readonly caller: CustomerCaller
  protected readonly staff: StaffCaller = {
    kind: 'staff',
    userId: newId(),
    sessionId: newId(),
    staffType: 'superadmin',
    staffRole: null,
    userStatus: 'active',
    stationId: null,
  }
  protected stations: string[] = []
  protected parcels: ModelParcel[] = []
  protected payments: ModelPayment[] = []
  protected tasks: Task[] = []
  protected orders: ModelOrder[] = []
  protected wallet = 0
  protected done: Record<string, number> = {}
  protected refused = 0

  constructor(deps: Deps, seed: number) {
    this.deps = deps
    this.seed = seed
    this.pick = random(seed)
    this.caller = {
      kind: 'customer',
      userType: 'customer',
      accountStatus: 'active',
      userStatus: 'active',
      isOwner: true,
      permissions: [],
      accountId: this.accountId,
      userId: newId(),
      sessionId: newId(),
    }
  }

  protected async begin(): Promise<void> {
    await addWalkers(this.deps, this.caller, this.staff, pin)
    const here = await coveringStation(this.deps.db, sender.country, sender.postcode)
    const stations = await this.deps.db.selectFrom('stations').select('id').orderBy('code').limit(2).execute()
    const there = stations.find(({ id }) => id !== here?.station.id)
    // All scans happen at the sender's station, where returns may be handed over.
    this.stations = [here?.station.id ?? '', there?.id ?? '']
  }

  protected one<T>(list: readonly T[]): T {
    return list[this.pick(list.length)] as T
  }

  /** Runs a step of the customer or staff, and compares the outcome with the model. True if the step succeeded. */
  protected async attempt(name: string, allowed: boolean, work: () => Promise<unknown>): Promise<boolean> {
    try {
      await work()
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      assert.equal(allowed, false, `${name} was refused with ${error.code}, which the model allows`)
      this.refused += 1
      return false
    }
    assert.equal(allowed, true, `${name} was done, which the model forbids`)
    this.done[name] = (this.done[name] ?? 0) + 1
    return true
  }

  protected async rows(ids: readonly string[]) {
    return this.deps.db
      .selectFrom('parcels')
      .select(['id', 'status', 'handed_over', 'leg', 'order_id', 'tracking_number'])
      .where('account_id', '=', this.accountId)
      .where('id', 'in', ids)
      .execute()
  }

  /** Asserts that the current parcels and the wallet match the model. */
  protected async compare(): Promise<void> {
    const rows = new Map((await this.rows(this.parcels.map(({ id }) => id))).map((row) => [row.id, row]))
    for (const { id, state } of this.parcels) {
      const row = rows.get(id)
      assert.deepEqual(
        { status: row?.status, handedOver: row?.handed_over, leg: row?.leg },
        { status: state.status, handedOver: state.handedOver, leg: state.leg },
        'the state of a parcel',
      )
    }
    assert.equal(await getWalletBalance(this.deps.db, this.accountId, 'MYR'), this.wallet, 'the balance of the wallet')
  }

  /** Checks all invariants, then forgets the orders whose parcels no longer change. */
  protected async prove(): Promise<void> {
    await proveMoneyAndState(this.deps.db)
    await proveOrders(this.deps.db, this.orders)
    const orders = new Set(this.parcels.flatMap(({ order }) => order ?? []))
    this.orders = this.orders.filter((order) => orders.has(order))
  }
}
