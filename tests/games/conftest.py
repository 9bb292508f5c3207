"""Files that are tests: scenarios (`*.toml`) and golden records of whole games (`golden/*.jsonl`)."""

import pytest
import scenario

from courtly.engine import transcript


def pytest_collect_file(parent, file_path):
    if file_path.suffix == ".toml":
        return Scenarios.from_parent(parent, path=file_path)
    if file_path.suffix == ".jsonl" and file_path.parent.name == "golden":
        return Records.from_parent(parent, path=file_path)
    return None


class Scenarios(pytest.File):
    def collect(self):
        yield ScenarioItem.from_parent(self, name=self.path.stem)


class ScenarioItem(pytest.Item):
    def runtest(self):
        scenario.read(self.path).run()

    def repr_failure(self, excinfo):
        if isinstance(excinfo.value, (scenario.Failed, ValueError)):
            return f"{self.path.name}: {excinfo.value}"
        return super().repr_failure(excinfo)

    def reportinfo(self):
        return self.path, 0, f"scenario: {self.name}"


class Records(pytest.File):
    def collect(self):
        yield RecordItem.from_parent(self, name=self.path.stem)


class RecordItem(pytest.Item):
    """A whole game replayed strictly: every move, every random outcome, the scores."""

    def runtest(self):
        assert transcript.check(self.path.read_text(encoding="utf-8")).over

    def reportinfo(self):
        return self.path, 0, f"record: {self.name}"
