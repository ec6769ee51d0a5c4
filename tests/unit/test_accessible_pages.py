"""The pages for keyboards and screen readers: axe finds nothing on them, wide or narrow, all of it open."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

import pytest

from ggp.harness.campaign.page import page
from tests import page_samples
from tests.unit.campaign.test_page import found, some
from tests.unit.test_page_in_browser import CHROMIUM, in_chromium

AXE = "axe_core_python"
RUN = """
document.querySelectorAll("details").forEach((one) => { one.open = true; });
axe.run(document).then((said) => {
  const nodes = (finding) => finding.nodes.map((node) => node.target.join(" ")).join(", ");
  const out = document.createElement("pre");
  out.id = "checks";
  out.textContent = [`${said.passes.length > 30}`,
    ...said.violations.map((one) => `${one.id}: ${one.help}: ${nodes(one)}`)].join("\\n");
  document.body.append(out);
});
"""


def campaign_page() -> str:
    """A page with a few records of levels that move and of others."""
    return page(found(60, some()[:60:20]))


@pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not here, so axe did not look at the pages")
@pytest.mark.parametrize("size", ["1200,900", "500,900"])
@pytest.mark.parametrize("made", [campaign_page, page_samples.text], ids=["campaign", "compare"])
def test_axe_finds_nothing(made: object, size: str, tmp_path: Path) -> None:
    assert callable(made)
    axe = (resources.files(AXE) / "axe.min.js").read_text("utf-8").replace("</script>", "<\\/script>")
    assert in_chromium(tmp_path, size, page=made(), checks=axe + RUN) == ["true"]
