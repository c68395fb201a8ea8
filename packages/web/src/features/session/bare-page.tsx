import "./session.css";
import type { JSX, ReactNode } from "react";
import icon from "../../ui/icon.svg";
import { Card } from "../../ui/surface.tsx";

/** A page without the frame: for whoever is not in a workspace. */
export function BarePage({
  title,
  about,
  children,
}: {
  readonly title: string;
  readonly about?: ReactNode;
  readonly children: ReactNode;
}): JSX.Element {
  return (
    <main className="bare" id="main">
      <div className="bare__box">
        <div className="bare__head">
          <img src={icon} width={36} height={36} alt="" />
          <h1>{title}</h1>
          {about && <div className="soft">{about}</div>}
        </div>
        <Card>{children}</Card>
      </div>
    </main>
  );
}
