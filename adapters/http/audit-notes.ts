type Metadata = Readonly<Record<string, string>>

/** Notes metadata of the audit entry. `personal`: values that are personal to the target account, such as its e-mail address. */
export type NoteAudited = (metadata: Metadata, personal?: Metadata) => void

/** Notes that the request leaves the second entry of its rule too, with these metadata. */
export type NoteSecondEntry = (metadata: Metadata) => void
