/** A delivery of GitHub: what happened, and the id of the delivery, as its headers say; null where they are missing. */
export interface Delivery {
  readonly event: string | null
  readonly id: string | null
}
