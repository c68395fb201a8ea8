import type { DeliveryStatus } from "@orchestrator/contract";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api } from "../../api/client.ts";

const PAGE_SIZE = 50;

export interface DeliveriesQuery {
  readonly automation?: string | undefined;
  readonly block?: string | undefined;
  readonly status?: string | undefined;
  readonly page: number;
}

/** A page of the messages, and how many there are. They change when automations do what they do. */
export const deliveriesPage = (wanted: DeliveriesQuery) =>
  queryOptions({
    queryKey: ["automations", "deliveries", wanted],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const { automation, block, status, page } = wanted;
      const deliveries = {
        ...(automation && { automation_id: { any_: [automation] } }),
        ...(block && { block_document_id: { any_: [block] } }),
        ...(status && { status: { any_: [status as DeliveryStatus] } }),
      };
      const [rows, count] = await Promise.all([
        api.automations.listDeliveries(
          { deliveries, sort: "CREATED_DESC", limit: PAGE_SIZE, offset: (page - 1) * PAGE_SIZE },
          { signal },
        ),
        api.automations.countDeliveries({ deliveries }, { signal }),
      ]);
      return { rows, count, pages: Math.max(1, Math.ceil(count / PAGE_SIZE)) };
    },
  });
