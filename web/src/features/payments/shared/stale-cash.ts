import { listCashMovements, listDrawers, listOwnShifts, listShifts } from '@waybill/contract/payments/cash-desk'

/** Every list that shows a drawer or its cash. */
export const staleCash = [listDrawers, listCashMovements, listOwnShifts, listShifts]
