import Tab from '@mui/material/Tab'
import Tabs from '@mui/material/Tabs'
import type { ComponentType } from 'react'
import { Title, useTranslate } from 'react-admin'
import { Link, Navigate, useParams } from 'react-router-dom'
import type { OperationId } from '../api/operations.ts'
import { useAcls } from '../parts/use-acls.ts'
import { AdminKeys } from './admin-keys.tsx'
import { Archives } from './archives.tsx'
import { Blocklists } from './blocklists.tsx'
import { GiftCodes } from './gift-codes.tsx'
import { Jobs } from './jobs.tsx'
import { Limits } from './limits.tsx'
import { Mails } from './mails.tsx'
import { NetworkBans } from './network-bans.tsx'
import { Purchases } from './purchases.tsx'
import { Registrations } from './registrations.tsx'
import { Settings } from './settings.tsx'
import { Status } from './status.tsx'

interface Part {
  /** Its text is `console.instance.<name>`, and its address `/instance/<name>`. */
  readonly name: string
  /** Whoever may call one of these sees it. */
  readonly needs: readonly OperationId[]
  readonly part: ComponentType
}

/** What the instance's page has. */
const parts: readonly Part[] = [
  { name: 'status', needs: ['getInstanceStatus'], part: Status },
  { name: 'jobs', needs: ['listBackgroundJobs'], part: Jobs },
  { name: 'settings', needs: ['getInstanceConfiguration'], part: Settings },
  { name: 'limits', needs: ['getLimitConfiguration'], part: Limits },
  { name: 'registrations', needs: ['getInstanceConfiguration'], part: Registrations },
  { name: 'blocklists', needs: ['listBlocklists'], part: Blocklists },
  { name: 'network_bans', needs: ['listNetworkBans'], part: NetworkBans },
  { name: 'mails', needs: ['listMails'], part: Mails },
  { name: 'purchases', needs: ['listPurchases'], part: Purchases },
  { name: 'archives', needs: ['listArchives'], part: Archives },
  { name: 'keys', needs: ['listAdminKeys'], part: AdminKeys },
  { name: 'gift_codes', needs: ['generateGiftCodes'], part: GiftCodes },
]

/** The instance: a tab for each part of it that the reader may read. */
export function InstancePage() {
  const translate = useTranslate()
  const { isKnown, may } = useAcls()
  const { part: chosen } = useParams()
  const shown = parts.filter(({ needs }) => needs.some((id) => may(id)))
  const [first] = shown
  const current = shown.find(({ name }) => name === chosen)
  if (!isKnown) return null
  if (!current)
    return first ? <Navigate to={`/instance/${first.name}`} replace /> : <p>{translate('console.say.none')}</p>
  const { part: Shown } = current
  return (
    <>
      <Title title={translate('console.views.instance')} />
      <Tabs
        value={current.name}
        variant="scrollable"
        allowScrollButtonsMobile
        aria-label={translate('console.views.instance')}
        sx={{ marginBottom: 2 }}
      >
        {shown.map(({ name }) => (
          <Tab
            key={name}
            value={name}
            label={translate(`console.instance.${name}`)}
            component={Link}
            to={`/instance/${name}`}
          />
        ))}
      </Tabs>
      <Shown />
    </>
  )
}

/** Whoever may call one of these has a part of the page to look at. */
export const instanceNeeds: readonly OperationId[] = parts.flatMap(({ needs }) => needs)
