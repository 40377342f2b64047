/** The subject of a dossier. `month` null: the dialog asks for it. */
export type DossierSubject = { parcelId: string } | { orderId: string } | { month: string | null }
