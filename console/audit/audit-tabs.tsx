import Tab from '@mui/material/Tab'
import Tabs from '@mui/material/Tabs'
import { useTranslate } from 'react-admin'
import { Link } from 'react-router-dom'
import type { OperationId } from '../api/operations.ts'
import { useAcls } from '../parts/use-acls.ts'

const logs = [
  { name: 'of_administrators', path: '/audit', needs: 'listAdminAuditLogEntries' },
  { name: 'of_a_guild', path: '/audit/guilds', needs: 'listHistoryGuildAuditLogEntries' },
] as const satisfies readonly { name: string; path: string; needs: OperationId }[]

/** The ways to the audit logs that the reader may read. */
export function AuditTabs({ at }: { readonly at: (typeof logs)[number]['path'] }) {
  const translate = useTranslate()
  const { may } = useAcls()
  return (
    <Tabs component="nav" value={at} aria-label={translate('console.audit.logs')} role={undefined}>
      {logs
        .filter(({ needs, path }) => path === at || may(needs))
        .map(({ name, path }) => (
          <Tab
            key={name}
            value={path}
            component={Link}
            to={path}
            role={undefined}
            aria-selected={undefined}
            aria-current={path === at ? 'page' : undefined}
            label={translate(`console.audit.${name}`)}
          />
        ))}
    </Tabs>
  )
}
